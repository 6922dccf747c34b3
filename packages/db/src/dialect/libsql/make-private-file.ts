import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseUnavailableError } from '../../database-unavailable-error.js';

const OWNER_ALONE = 0o600;
/** What SQLite keeps beside the file; it makes them with the permissions of the file. */
const COMPANIONS = ['', '-wal', '-shm'];

/**
 * Makes the file and its folder where they are missing, and lets nobody but its owner read it and what stands beside it.
 *
 * @throws DatabaseUnavailableError (`refused`, or `full`) with the system's code where it may not, or cannot
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

/** A companion that is not there needs nothing, and what belongs to another user is theirs to open or to close. */
function unlessElsewhere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'EPERM') throw error;
}
