import { randomBytes } from 'node:crypto';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { BackupError, type FileContent, inspectFile, openFileQuietly, syncToDisk } from './backup-file.js';

/** A written and checked backup. */
export interface WrittenBackup extends FileContent {
  readonly bytes: number;
}

const LOOK_EVERY_MS = 200;

/**
 * Copies the embedded database as it is at one moment into `to`, while services use it. The copy is checked, and on the
 * disk, before it gets its name.
 * @param onProgress told how much is written, of at most how much
 * @throws BackupError if there is nothing to copy, `to` exists, or the copy is not good
 */
export async function backUpFile(
  path: string,
  to: string,
  options: { mayOverwrite: boolean; onProgress: (bytes: number, most: number) => void },
): Promise<WrittenBackup> {
  const source = await stat(path).catch(() => undefined);
  if (source === undefined) throw new BackupError(`There is no database ${path}.`);
  const there = await stat(to).catch(() => undefined);
  if (there?.ino === source.ino && there.dev === source.dev)
    throw new BackupError(`${to} is the database itself.`);
  if (there !== undefined && !options.mayOverwrite) throw existing(to);
  const partial = `${to}.partial-${randomBytes(6).toString('hex')}`;
  try {
    await (await open(partial, 'wx', 0o600)).close();
    await copyInto(path, partial, options.onProgress);
    const content = await inspectFile(partial);
    await syncToDisk(partial);
    const { size: bytes } = await stat(partial);
    if (options.mayOverwrite) await rename(partial, to);
    else await giveName(partial, to);
    await syncToDisk(dirname(resolve(to)));
    return { ...content, bytes };
  } finally {
    await rm(partial, { force: true });
  }
}

async function copyInto(
  path: string,
  partial: string,
  onProgress: (bytes: number, most: number) => void,
): Promise<void> {
  const connection = openFileQuietly(path);
  const [[pages] = []] = await connection.read('PRAGMA page_count');
  const [[pageSize] = []] = await connection.read('PRAGMA page_size');
  const most = Number(pages) * Number(pageSize);
  const looking = setInterval(() => {
    stat(partial).then(
      ({ size }) => onProgress(size, most),
      () => undefined,
    );
  }, LOOK_EVERY_MS);
  try {
    await connection.run(`VACUUM INTO '${partial.replaceAll("'", "''")}'`);
  } finally {
    clearInterval(looking);
    connection.close();
  }
}

/** Unlike a rename, a link never replaces a file. */
async function giveName(partial: string, to: string): Promise<void> {
  await link(partial, to).catch((error: unknown) => {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST' ? existing(to) : error;
  });
}

function existing(to: string): BackupError {
  return new BackupError(`${to} exists: name another file, or say --overwrite.`);
}
