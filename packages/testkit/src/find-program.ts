import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program in PATH or one of the folders; undefined when it is in none. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), ...folders]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}
