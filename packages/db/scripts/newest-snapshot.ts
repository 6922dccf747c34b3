import { readdir, readFile } from 'node:fs/promises';

/** The tables at one time, as drizzle-kit writes them down. */
export interface Snapshot {
  id: string;
}

const FOLDER = new URL('../migrations/', import.meta.url);

/** Where the migrations of a dialect are. */
export function migrationFolder(dialect: 'mysql' | 'libsql'): URL {
  return new URL(`${dialect}/`, FOLDER);
}

/** The tables as the newest migration left them, and how many migrations there are. */
export async function newestSnapshot(
  dialect: 'mysql' | 'libsql',
): Promise<{ count: number; snapshot: Snapshot | undefined }> {
  const files = await readdir(migrationFolder(dialect)).catch(() => []);
  const newest = files
    .filter((file) => file.endsWith('.snapshot.json'))
    .sort()
    .at(-1);
  return {
    count: files.filter((file) => file.endsWith('.sql')).length,
    snapshot:
      newest === undefined ? undefined : await readSnapshot(new URL(newest, migrationFolder(dialect))),
  };
}

async function readSnapshot(file: URL): Promise<Snapshot> {
  const content: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!isSnapshot(content)) throw new Error(`${file.pathname} is no snapshot`);
  return content;
}

function isSnapshot(content: unknown): content is Snapshot {
  return typeof content === 'object' && content !== null && 'id' in content && typeof content.id === 'string';
}
