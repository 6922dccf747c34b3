import { createTestDatabase } from '@gatehouse/testkit/database';
import { expect, it } from 'vitest';
import { type Database, DuplicateKeyError } from './index.js';

const FULL = 2;
const NORMAL = 1;

const modeIn = async (tx: Database) => (await tx.readRows('PRAGMA synchronous', []))[0]?.[0];
const add = (db: Database, key: string) => db.insert(db.tables.limits, { key, points: 1, expiresAtMs: 1 });

it('flushes every commit but those of writes together, also after one that failed', async () => {
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
