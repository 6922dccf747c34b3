import { constants, createReadStream, createWriteStream } from 'node:fs';
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import type { Database } from '../database.js';
import { makePrivateFile } from '../dialect/libsql/libsql-connection.js';
import { openDatabase } from '../open-database.js';
import { BackupError, type FileContent, inspectFile, lockFile, syncToDisk } from './backup-file.js';

/** A restored embedded database. */
export interface RestoredFile extends FileContent {
  readonly bytes: number;
  /** The present path of the previous database; undefined without one. */
  readonly former: string | undefined;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** No service waits for these statements. */
const NO_HURRY = { queryTimeoutMs: 3_600_000, transactionTimeoutMs: 3_600_000 };

/**
 * Puts a backup in the place of the embedded database, in one step: whenever this is killed, the former database or
 * the restored and prepared one is there.
 * @param prepare changes the restored rows before anybody sees them; the tables are those of this version
 * @throws BackupError if a service has the database open, or the backup is not good
 */
export async function restoreFile(
  path: string,
  from: string,
  options: {
    nowMs: number;
    prepare: (db: Database) => Promise<void>;
    onProgress: (bytes: number, all: number) => void;
  },
): Promise<RestoredFile> {
  const bytes = await requireBackup(path, from);
  await requireNoStrayLog(path);
  await makePrivateFile(path);
  const owner = await ownerOf(path);
  await giveTo(owner, path);
  // Under the lock nothing may open and close the previous database: that would release this process's POSIX locks.
  const unlock = await lockFile(path);
  const working = `${path}.restoring`;
  try {
    await removeLeftovers(path, working);
    await copy(from, working, (done) => options.onProgress(done, bytes));
    const content = await inspectFile(working);
    await prepareFile(working, options.prepare, owner);
    const { size } = await stat(path);
    const former = size === 0 ? undefined : formerName(path, options.nowMs);
    if (former !== undefined) await link(path, former);
    await rename(working, path);
    await syncToDisk(dirname(resolve(path)));
    return { ...content, bytes, former };
  } finally {
    await removeWorking(working);
    unlock();
  }
}

async function requireBackup(path: string, from: string): Promise<number> {
  const backup = await stat(from).catch(() => undefined);
  if (backup?.isFile() !== true) throw new BackupError(`There is no file ${from}.`);
  const present = await stat(path).catch(() => undefined);
  if (present?.ino === backup.ino && present.dev === backup.dev)
    throw new BackupError(`${from} is the database itself.`);
  const log = await stat(`${from}-wal`).catch(() => undefined);
  if (log !== undefined && log.size > 0)
    throw new BackupError(`${from} has a write-ahead log beside it: it is a database in use, and no backup.`);
  return backup.size;
}

/** SQLite would replay the log of a removed database into the one that replaces it. */
async function requireNoStrayLog(path: string): Promise<void> {
  const present = await stat(path).catch(() => undefined);
  const log = await stat(`${path}-wal`).catch(() => undefined);
  if ((present?.size ?? 0) === 0 && log !== undefined && log.size > 0)
    throw new BackupError(`${path}-wal is there without its database: move it away, and run this again.`);
}

/** A run that was killed may have left its copy, and a second name of the database it was about to replace. */
async function removeLeftovers(path: string, working: string): Promise<void> {
  await removeWorking(working);
  const { ino } = await stat(path);
  const folder = dirname(resolve(path));
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(path)}.before-`)) continue;
    const former = join(folder, name);
    if ((await stat(former)).ino === ino) await rm(former);
  }
}

async function removeWorking(working: string): Promise<void> {
  for (const companion of ['', '-wal', '-shm', '-journal'])
    await rm(`${working}${companion}`, { force: true });
}

async function copy(from: string, working: string, onProgress: (bytes: number) => void): Promise<void> {
  let done = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length;
      onProgress(done);
      next(null, chunk);
    },
  });
  await pipeline(createReadStream(from), counting, createWriteStream(working, { mode: 0o600, flags: 'wx' }));
}

/** The owner of the previous database, or of the folder without one. */
async function ownerOf(path: string): Promise<Owner> {
  const present = await stat(path);
  return present.size > 0 ? present : stat(dirname(resolve(path)));
}

/**
 * The services could not open a file that root creates. The owner of the folder may have put a link in its place, to a file that
 * must stay root's.
 */
async function giveTo({ uid, gid }: Owner, path: string): Promise<void> {
  if (process.getuid?.() !== 0 || uid === 0) return;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { uid: present, nlink } = await file.stat();
    if (present !== 0) return;
    if (nlink !== 1) throw new BackupError(`${path} has another name: somebody is changing the folder.`);
    await file.chown(uid, gid);
  } finally {
    await file.close();
  }
}

async function prepareFile(
  working: string,
  prepare: (db: Database) => Promise<void>,
  owner: Owner,
): Promise<void> {
  const db = await openDatabase(pathToFileURL(resolve(working)).href, NO_HURRY);
  try {
    await db.migrate();
    await prepare(db);
  } finally {
    await db.close();
  }
  const log = await stat(`${working}-wal`).catch(() => undefined);
  if (log !== undefined && log.size > 0) throw new Error('the restored rows are not all in the file');
  await giveTo(owner, working);
  await syncToDisk(working);
}

function formerName(path: string, nowMs: number): string {
  return `${path}.before-${new Date(nowMs).toISOString().replaceAll(/[-:]/g, '')}`;
}
