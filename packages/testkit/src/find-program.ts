import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of an installed program: in PATH, or in one of the folders given; undefined where it is in none. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), ...folders]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}
