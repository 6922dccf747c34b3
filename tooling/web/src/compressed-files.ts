import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const deflate = promisify(gzip);
const brotli = promisify(brotliCompress);

/** Fonts are compressed already. */
const COMPRESSIBLE = /\.(?:html|js|css|svg|json)$/;

/** Writes a `.gz` and a `.br` beside each file of a build that gets smaller by it. */
export function compressedFiles(): Plugin {
  return {
    name: 'gatehouse:compressed-files',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir !== undefined) await compressFolder(dir);
    },
  };
}

export async function compressFolder(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compressFile(join(folder, name))),
  );
}

async function compressFile(path: string): Promise<void> {
  const text = await readFile(path);
  const small = await deflate(text, { level: 9 });
  const smaller = await brotli(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } });
  if (small.length < text.length) await writeFile(`${path}.gz`, small);
  if (smaller.length < text.length) await writeFile(`${path}.br`, smaller);
}
