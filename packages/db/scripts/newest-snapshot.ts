import { readdir, readFile } from 'node:fs/promises';

const FOLDER = new URL('../migrations/', import.meta.url);

/** Where the migrations of a dialect are. */
export function migrationFolder(dialect: 'mysql' | 'libsql'): URL {
  return new URL(`${dialect}/`, FOLDER);
}

/** The tables as the newest migration left them, and how many migrations there are. */
export async function newestSnapshot(
  dialect: 'mysql' | 'libsql',
): Promise<{ count: number; snapshot: string | undefined }> {
  const files = await readdir(migrationFolder(dialect)).catch(() => []);
  const newest = files
    .filter((file) => file.endsWith('.snapshot.json'))
    .sort()
    .at(-1);
  return {
    count: files.filter((file) => file.endsWith('.sql')).length,
    snapshot:
      newest === undefined ? undefined : await readFile(new URL(newest, migrationFolder(dialect)), 'utf8'),
  };
}
