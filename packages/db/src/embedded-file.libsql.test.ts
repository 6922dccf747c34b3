import { chmod, copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@gatehouse/testkit';
import { createTestDatabase } from '@gatehouse/testkit/database';
import { describe, expect, it } from 'vitest';
import type { Database } from './database.js';
import { DuplicateKeyError } from './database-errors.js';
import { openDatabase } from './open-database.js';
import { runScript } from './test/run-script.js';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('the files of the embedded database', () => {
  it('and their folder are readable only by their owner from the moment they are created', async () => {
    await using folder = await createTestFolder();
    const data = join(folder.path, 'made', 'data');
    const path = join(data, 'gatehouse.db');
    const database = await openDatabase(`file:${path}`);
    await database.migrate();
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      expect([file, await modeOf(file)]).toEqual([file, '600']);
    }
    expect([await modeOf(data), await modeOf(join(folder.path, 'made'))]).toEqual(['700', '700']);
    await database.close();
    expect(await modeOf(path)).toBe('600');
  });

  it('get strict permissions when they are opened, including what a killed process left beside them', async () => {
    await using folder = await createTestFolder();
    const before = await openDatabase(`file:${join(folder.path, 'before.db')}`);
    await before.migrate();
    const path = join(folder.path, 'gatehouse.db');
    for (const companion of ['', '-wal', '-shm']) {
      await copyFile(join(folder.path, `before.db${companion}`), `${path}${companion}`);
      await chmod(`${path}${companion}`, 0o666);
    }
    await before.close();
    const database = await openDatabase(`file:${path}`);
    expect(await database.pendingMigrations()).toEqual([]);
    for (const companion of ['', '-wal', '-shm']) {
      expect([companion, await modeOf(`${path}${companion}`)]).toEqual([companion, '600']);
    }
    await database.close();
  });

  it('stay whole under a connection when the same process opens them again, and another process opens and closes them', async () => {
    await using folder = await createTestFolder();
    const url = `file:${join(folder.path, 'gatehouse.db')}`;
    const database = await openDatabase(url);
    await database.migrate();
    await (await openDatabase(url)).close();
    await runScript('open-script.ts', [url]);
    // The last to close removes the log; the first connection is still open.
    expect(await modeOf(`${join(folder.path, 'gatehouse.db')}-wal`)).toBe('600');
    await database.close();
  });

  it('are refused if they are a folder, which stays unchanged', async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, 'data');
    await mkdir(path, { mode: 0o750 });
    await expect(openDatabase(`file:${path}`)).rejects.toMatchObject({ reason: 'refused', code: 'EISDIR' });
    expect(await modeOf(path)).toBe('750');
  });

  it('are refused and left unchanged if the folder does not allow new files', async () => {
    await using folder = await createTestFolder();
    await writeFile(join(folder.path, 'file'), '');
    await expect(openDatabase(`file:${join(folder.path, 'file', 'gatehouse.db')}`)).rejects.toMatchObject({
      reason: 'refused',
      code: expect.stringMatching(/EEXIST|ENOTDIR/),
    });
  });
});

const FULL = 2;

const NORMAL = 1;

const modeIn = async (tx: Database) => (await tx.readRows('PRAGMA synchronous', []))[0]?.[0];

const add = (db: Database, key: string) => db.insert(db.tables.limits, { key, points: 1, expiresAtMs: 1 });

it('the embedded database flushes every commit except those of grouped writes, also after a failed one', async () => {
  await using test = await createTestDatabase('libsql');
  const { database: db } = test;
  let added = 0;
  const together = () =>
    db.together(async (tx) => {
      added += 1;
      await add(tx, `together ${added}`);
      return modeIn(tx);
    });
  expect(await db.transaction(modeIn)).toBe(FULL);
  expect(await together()).toBe(NORMAL);
  expect(await db.transaction(modeIn)).toBe(FULL);
  const failure = new Error('no');
  await expect(db.together(() => Promise.reject(failure))).rejects.toBe(failure);
  await add(db, 'alone');
  expect(await together()).toBe(NORMAL);
  await expect(add(db, 'alone')).rejects.toThrow(DuplicateKeyError);
  expect(await db.transaction(modeIn)).toBe(FULL);
});
