import { createTestDatabase } from '@gatehouse/testkit/database';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import { UnstorableTextError } from '../dialect/stored-text.js';
import { given, prepareRead, prepareWrite } from './prepared.js';

const dialect = inject('dialect');

const pointsOf = prepareRead<{ points: number }, { key: unknown }>((db) => {
  const { key, points } = db.tables.limits;
  return db
    .select({ points })
    .from(db.tables.limits)
    .where(eq(key, given(key, 'key')));
});

const add = prepareWrite<{ key: unknown; by?: number }>((db) => {
  const { limits } = db.tables;
  const { key, points } = limits;
  return db
    .update(limits)
    .set({ points: sql`${points} + ${given(points, 'by')}` })
    .where(eq(key, given(key, 'key')));
});

const insert = (db: Database, key: string) => db.insert(db.tables.limits, { key, points: 1 });

describe('a prepared statement', () => {
  it('runs in the given transaction, whichever handle built it', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    await insert(db, 'a');
    await db.transaction(async (tx) => {
      expect(await add(tx, { key: 'a', by: 4 })).toBe(1);
      expect(await pointsOf(tx, { key: 'a' })).toEqual([{ points: 5 }]);
      expect(await pointsOf(db, { key: 'a' })).toEqual([{ points: 1 }]);
    });
    expect(await pointsOf(db, { key: 'a' })).toEqual([{ points: 5 }]);
    expect(await add(db, { key: 'b', by: 4 })).toBe(0);
  });

  it('runs over the database it is given, and keeps no value of the last run', async () => {
    await using one = await createTestDatabase(dialect);
    await using other = await createTestDatabase(dialect);
    await insert(one.database, 'a');
    await insert(other.database, 'b');
    expect(await pointsOf(one.database, { key: 'a' })).toHaveLength(1);
    expect(await pointsOf(other.database, { key: 'a' })).toEqual([]);
    expect(await pointsOf(other.database, { key: 'b' })).toHaveLength(1);
  });

  it('accepts values as a column does, and refuses missing ones', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    for (const key of [0, true, {}]) {
      await expect(pointsOf(db, { key })).rejects.toThrow(TypeError);
      await expect(async () => add(db, { key, by: 1 })).rejects.toThrow(TypeError);
    }
    await expect(pointsOf(db, { key: 'a\0' })).rejects.toThrow(UnstorableTextError);
    await expect(async () => add(db, { key: 'a' })).rejects.toThrow('no by');
  });
});

describe('an insert of one row', () => {
  it('stores nulls, flags, objects and defaults, independently of earlier rows', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { auditLog } = db.tables;
    const line = { atMs: 1, action: 'a', actorId: 7, address: "o'hara", before: { is: true } };
    await db.insert(auditLog, line);
    await db.insert(auditLog, { ...line, actorId: null, address: null, before: null });
    await db.insert(auditLog, { before: { is: [] }, action: 'b', atMs: 2, address: undefined });
    const rows = await db.select().from(auditLog);
    expect(
      rows.map(({ atMs, action, actorId, address, before }) => [atMs, action, actorId, address, before]),
    ).toEqual([
      [1, 'a', 7, "o'hara", { is: true }],
      [1, 'a', null, null, null],
      [2, 'b', null, null, { is: [] }],
    ]);
  });
});

describe('grouped writes without a rollback', () => {
  it('are kept even when the body answers with a refusal', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    await insert(db, 'a');
    const refusal = await db.together(async (tx) => {
      await add(tx, { key: 'a', by: 1 });
      return 'refused';
    });
    expect(refusal).toBe('refused');
    expect(await pointsOf(db, { key: 'a' })).toEqual([{ points: 2 }]);
  });
});
