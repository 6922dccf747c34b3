import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';

const compiled = new Map<string, Promise<string>>();

/**
 * Makes JavaScript of a program that a test starts, which imports only packages, from their build. A loader of TypeScript looks
 * at each module, and doubles the time of a start.
 * @returns its path, in the package of the program, so that its imports are found
 */
export function compileProgram(program: URL): Promise<string> {
  const source = fileURLToPath(program);
  const path = compiled.get(source) ?? compile(source);
  compiled.set(source, path);
  return path;
}

async function compile(source: string): Promise<string> {
  const { code } = await transformWithOxc(await readFile(source, 'utf8'), source);
  const folder = join(findPackage(source), '.programs');
  const path = join(folder, `${basename(source, '.ts')}.mjs`);
  // Another worker may start it at this moment.
  const own = `${path}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  await writeFile(own, code);
  await rename(own, path);
  return path;
}

function findPackage(path: string): string {
  const folder = dirname(path);
  return existsSync(join(folder, 'package.json')) ? folder : findPackage(folder);
}
