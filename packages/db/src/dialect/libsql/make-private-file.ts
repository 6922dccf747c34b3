import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseUnavailableError } from '../../database-unavailable-error.js';

const OWNER_ALONE = 0o600;
/** The files that SQLite creates next to the database, with the permissions of the main file. */
const COMPANIONS = ['', '-wal', '-shm'];

/**
 * Creates missing files and their folder, and makes the database and its companion files readable by the
 * owner only.
 *
 * @throws DatabaseUnavailableError (`refused`, or `full`) with the system's code if that fails
 */
export async function makePrivateFile(path: string): Promise<void> {
  await makeFiles(path).catch((error: unknown) => {
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw new DatabaseUnavailableError(isFull ? 'full' : 'refused', { cause: error });
  });
}

async function makeFiles(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await (await open(path, 'a', OWNER_ALONE)).close();
  for (const companion of COMPANIONS) await chmod(`${path}${companion}`, OWNER_ALONE).catch(unlessElsewhere);
}

/** A missing companion file needs nothing. A file of another user is theirs to protect. */
function unlessElsewhere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'EPERM') throw error;
}
