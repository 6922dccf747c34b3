import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes an executable Node script, and returns its path. */
export async function writeProgram(folder: string, name: string, source: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!${process.execPath}\n${source}`);
  await chmod(path, 0o700);
  return path;
}
