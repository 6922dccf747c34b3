import { once } from 'node:events';
import {
  appendFile,
  chown,
  copyFile,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestFolder, printMeasurements, rounds } from '@gatehouse/testkit/database';
import { asc } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../open-database.js';
import { startScript } from '../test/run-script.js';
import { createDemonstration } from '../test/test-databases.js';
import { backUpFile } from './back-up-file.js';
import { inspectFile } from './backup-file.js';
import { restoreFile } from './restore-file.js';

const quiet = { mayOverwrite: false, onProgress: () => undefined };
const nothing = { nowMs: 1_800_000_000_000, prepare: async () => undefined, onProgress: () => undefined };

/** A database that another process wrote, so that this one does not have it open. */
async function createClosed(folder: string, name: string): Promise<string> {
  await using test = await createDemonstration('libsql');
  const path = join(folder, name);
  await backUpFile(fileURLToPath(test.url), path, quiet);
  return path;
}

/** The services' account if root runs the tests and can change owners; otherwise the account that runs them. */
async function giveToServices(path: string): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, 4711, 4712);
}

async function rightsOf(path: string) {
  const { uid, gid, mode } = await stat(path);
  return { uid, gid, mode: (mode & 0o777).toString(8) };
}

/** Of a copy: a closed connection keeps its lock until it is collected. */
async function firstNames(path: string): Promise<string[]> {
  await using folder = await createTestFolder();
  const copied = join(folder.path, 'copied.db');
  await copyFile(path, copied);
  const db = await openDatabase(`file:${copied}`);
  const { members } = db.tables;
  const rows = await db.select({ firstName: members.firstName }).from(members).orderBy(asc(members.id));
  await db.close();
  return rows.map(({ firstName }) => firstName);
}

describe('a backup of the embedded database', () => {
  it('shows one moment while another process writes, complete and readable only by its owner', async () => {
    await using folder = await createTestFolder();
    const path = await createClosed(folder.path, 'live.db');
    const { rows: original } = await inspectFile(path);
    const writer = await startScript('writer-script.ts', [`file:${path}`]);
    const ended = once(writer, 'close');
    await once(writer.stdout, 'data');
    for (let round = 0; round < rounds({ suite: 2, stress: 100 }); round += 1) {
      const to = join(folder.path, `backup-${round}.db`);
      const { rows, bytes, pending } = await backUpFile(path, to, quiet);
      const { size, mode } = await stat(to);
      expect([size, (mode & 0o777).toString(8), pending]).toEqual([bytes, '600', []]);
      // A torn copy, or one that lacks the write-ahead log, contains only half of a pair or none of it.
      const written = (rows.get('messages') ?? 0) - (original.get('messages') ?? 0);
      expect(written).toBeGreaterThan(0);
      expect(written % 2).toBe(0);
    }
    writer.kill('SIGKILL');
    await ended;
    expect((await readdir(folder.path)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('replaces no file by default, and leaves nothing behind when it fails', async () => {
    await using folder = await createTestFolder();
    const path = await createClosed(folder.path, 'live.db');
    const to = join(folder.path, 'backup.db');
    await writeFile(to, 'of yesterday');
    await expect(backUpFile(path, to, quiet)).rejects.toThrow(`${to} exists: name another file`);
    expect(await readFile(to, 'utf8')).toBe('of yesterday');
    await expect(backUpFile(path, path, { ...quiet, mayOverwrite: true })).rejects.toThrow('itself');
    await expect(backUpFile(`${path}x`, to, quiet)).rejects.toThrow(`There is no database ${path}x.`);
    expect((await backUpFile(path, to, { ...quiet, mayOverwrite: true })).bytes).toBe((await stat(to)).size);
    expect((await readdir(folder.path)).sort()).toEqual(['backup.db', 'live.db']);
  });
});

describe('a restore of the embedded database', () => {
  it('puts the prepared backup in its place and keeps the previous files, including a killed service’s log', async () => {
    await using folder = await createTestFolder();
    const path = await createClosed(folder.path, 'live.db');
    const from = join(folder.path, 'backup.db');
    await copyFile(path, from);
    const writer = await startScript('writer-script.ts', [`file:${path}`]);
    const ended = once(writer, 'close');
    await once(writer.stdout, 'data');
    await expect(restoreFile(path, from, nothing)).rejects.toThrow('is in use: stop every service');
    writer.kill('SIGKILL');
    await ended;
    expect((await stat(`${path}-wal`)).size).toBeGreaterThan(0);

    const { former = '', bytes } = await restoreFile(path, from, {
      ...nothing,
      prepare: async (db) =>
        void (await db.write(db.update(db.tables.members).set({ firstName: 'prepared' }))),
    });
    expect(bytes).toBe((await stat(from)).size);
    expect(new Set(await firstNames(path))).toEqual(new Set(['prepared']));
    const { rows } = await backUpFile(former, join(folder.path, 'former.db'), quiet);
    expect(rows.get('messages')).toBeGreaterThan(0);
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe('600');
    expect((await readdir(folder.path)).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  it('belongs to the owner of the previous database or its folder, and is readable only by them', async () => {
    await using folder = await createTestFolder();
    const path = await createClosed(folder.path, 'live.db');
    const from = join(folder.path, 'backup.db');
    await copyFile(path, from);
    await giveToServices(path);
    const services = await rightsOf(path);
    const { former = '' } = await restoreFile(path, from, nothing);
    expect(await rightsOf(path)).toEqual({ ...services, mode: '600' });
    expect(await rightsOf(former)).toEqual({ ...services, mode: '600' });

    await giveToServices(folder.path);
    const anew = join(folder.path, 'anew.db');
    const fails = { ...nothing, prepare: () => Promise.reject(new Error('no room')) };
    await expect(restoreFile(anew, from, fails)).rejects.toThrow('no room');
    expect(await rightsOf(anew)).toEqual({ ...services, mode: '600' });
    await restoreFile(anew, from, nothing);
    expect(await rightsOf(anew)).toEqual({ ...services, mode: '600' });
    expect((await stat(anew)).size).toBeGreaterThan(0);
  });

  it("does not change the owner of root's files that a link in the folder points to", async () => {
    await using folder = await createTestFolder();
    await using elsewhere = await createTestFolder();
    const from = await createClosed(folder.path, 'backup.db');
    const target = join(elsewhere.path, 'of-root');
    await writeFile(target, '');
    const before = await stat(target);
    await giveToServices(folder.path);
    const path = join(folder.path, 'live.db');
    await symlink(target, path);
    if (process.getuid?.() === 0) await expect(restoreFile(path, from, nothing)).rejects.toThrow('ELOOP');
    expect(await stat(target)).toMatchObject({ uid: before.uid, gid: before.gid });
  });

  it('refuses a bad backup, and changes nothing', async () => {
    await using folder = await createTestFolder();
    const path = await createClosed(folder.path, 'live.db');
    const before = await readFile(path);
    const refuses = async (name: string, spoil: (file: string) => Promise<unknown>, why: RegExp) => {
      const from = join(folder.path, name);
      await copyFile(path, from);
      await spoil(from);
      await expect(restoreFile(path, from, nothing)).rejects.toThrow(why);
      expect((await readFile(path)).equals(before)).toBe(true);
    };
    await refuses('short.db', (file) => truncate(file, before.length - 8_192), /is damaged/);
    await refuses(
      'text.db',
      (file) => writeFile(file, 'no database, but as long as a header: '.repeat(20)),
      /is damaged/,
    );
    await refuses('empty.db', (file) => truncate(file, 0), /is no database of Gatehouse/);
    await refuses(
      'in-use.db',
      (file) => appendFile(`${file}-wal`, 'x'),
      /is a database in use, and no backup/,
    );
    const newer = async (file: string) => {
      const db = await openDatabase(`file:${file}`);
      await db.write({
        toSQL: () => ({ sql: "insert into gatehouse_migrations values ('9999_later', 'x', 1)", params: [] }),
      });
      await db.close();
    };
    await refuses('newer.db', newer, /has the migration 9999_later, which this version does not/);
    await expect(restoreFile(path, path, nothing)).rejects.toThrow('itself');
    const fails = { ...nothing, prepare: () => Promise.reject(new Error('no room')) };
    await copyFile(path, join(folder.path, 'good.db'));
    await expect(restoreFile(path, join(folder.path, 'good.db'), fails)).rejects.toThrow('no room');
    expect((await readFile(path)).equals(before)).toBe(true);
    expect((await readdir(folder.path)).filter((name) => /restoring|before/.test(name))).toEqual([]);
  });

  it('is not opened half-restored by a service that starts meanwhile, which waits for it', async () => {
    await using folder = await createTestFolder();
    const path = await createClosed(folder.path, 'live.db');
    const from = join(folder.path, 'backup.db');
    await copyFile(path, from);
    let opening: Awaited<ReturnType<typeof startScript>> | undefined;
    let printed = '';
    await restoreFile(path, from, {
      ...nothing,
      prepare: async (db) => {
        await db.write(db.update(db.tables.members).set({ firstName: 'prepared' }));
        opening = await startScript('open-script.ts', [`file:${path}`]);
        opening.stdout.on('data', (chunk: Buffer) => {
          printed += chunk.toString();
        });
        await once(opening.stdout, 'data');
        // Nothing says that it waits for the lock.
        await pause(100);
      },
    });
    if (opening !== undefined) await once(opening, 'close');
    expect(printed).toBe('opening\nprepared\n');
    expect((await readdir(folder.path)).filter((name) => !name.includes('.before-')).sort()).toEqual([
      'backup.db',
      'live.db',
    ]);
  });

  it('says what to do when the previous database cannot be read', async () => {
    await using folder = await createTestFolder();
    const from = await createClosed(folder.path, 'backup.db');
    const path = join(folder.path, 'live.db');
    await writeFile(path, 'no database, but as long as a header: '.repeat(20));
    await expect(restoreFile(path, from, nothing)).rejects.toThrow(/cannot be read .*move it .*away/);
    await rename(path, join(folder.path, 'damaged.db'));
    expect((await restoreFile(path, from, nothing)).former).toBeUndefined();
    expect(await firstNames(path)).toContain('Olivia');
  });

  it('leaves the old or the restored database when it is killed at any point, and the next restore works', async () => {
    await using folder = await createTestFolder();
    const path = await createClosed(folder.path, 'live.db');
    const from = join(folder.path, 'backup.db');
    await copyFile(path, from);
    const original = await firstNames(from);
    const count = rounds({ suite: 2, stress: 300 });
    const found = { before: 0, restored: 0 };
    for (let round = 0; round < count; round += 1) {
      await copyFile(from, path);
      const child = await startScript('restore-script.ts', [path, from]);
      const ended = once(child, 'close');
      await once(child.stdout, 'data');
      await pause((round * 7) % 120);
      child.kill('SIGKILL');
      await ended;
      const names = await firstNames(path);
      const isRestored = names.every((name) => name === 'prepared');
      expect(isRestored ? original : names).toEqual(original);
      found[isRestored ? 'restored' : 'before'] += 1;
    }
    expect((await restoreFile(path, from, nothing)).former).toContain('.before-');
    expect((await readdir(folder.path)).filter((name) => name.includes('restoring'))).toEqual([]);
    printMeasurements('restores killed', { rounds: count, ...found });
  });
});
