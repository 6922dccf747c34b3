import { cp, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackedClient } from './install-packed-client.js';

/** An example with the client as published. */
export interface PackedExample extends AsyncDisposable {
  readonly folder: string;
}

const MADE = new Set(['node_modules', '.packed', '.next', 'dist', 'tsconfig.tsbuildinfo']);

/**
 * Copies an example into a folder of its own, with the packed client installed there. The frameworks are those that the
 * workspace has installed for the example; nothing is downloaded.
 */
export async function packExample(name: 'nextjs' | 'react-vite'): Promise<PackedExample> {
  const example = fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));
  const folder = join(example, '.packed');
  await rm(folder, { recursive: true, force: true });
  for (const part of await readdir(example))
    if (!MADE.has(part)) await cp(join(example, part), join(folder, part), { recursive: true });
  await using packed = await installPackedClient();
  await cp(join(packed.folder, 'node_modules'), join(folder, 'node_modules'), {
    recursive: true,
    filter: (path) => basename(path) !== '.bin',
  });
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
