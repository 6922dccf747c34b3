import { createTestDatabase } from '@gatehouse/testkit/database';
import { asc, desc, eq, gte, sql } from 'drizzle-orm';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import { ascendingBy, descendingBy, readTogether } from './read-together.js';

const dialect = inject('dialect');

const TEXTS = [
  '',
  ' trailing ',
  'ß 语 👩🏽‍🚀 \r\n\t " \' \\ % _ 𝔘',
  '"], ["',
  '\\u0041 \\" \u0001\u001f\u007f\u2028',
  'null',
  '0',
  "'); drop table members; --",
  'é e\u0301 İ ı',
];

const account = (name: string, atMs: number) => ({
  name,
  nameKey: name,
  ownerId: 1,
  createdAtMs: atMs,
  updatedAtMs: atMs,
});

const partsOf = () => ({
  entries: {
    select: ({ select, tables: { auditLog } }: Database) =>
      select({
        atMs: auditLog.atMs,
        action: auditLog.action,
        actorId: auditLog.actorId,
        before: auditLog.before,
        id: auditLog.id,
      })
        .from(auditLog)
        .where(gte(auditLog.id, sql.placeholder('least')))
        .orderBy(desc(auditLog.id))
        .limit(sql.placeholder('limit')),
    order: descendingBy('id'),
  },
  accounts: {
    select: ({ select, tables: { accounts, partners } }: Database) =>
      select({
        name: accounts.name,
        isDeleted: accounts.isDeleted,
        erasesAtMs: accounts.erasesAtMs,
        id: accounts.id,
        partner: partners.name,
        isActive: partners.isActive,
        later: sql<number>`${accounts.createdAtMs} + 1`.mapWith((value) => Number(value) + 1),
        label: sql<string>`concat('"', ${accounts.name})`.as('label'),
      })
        .from(accounts)
        .leftJoin(partners, eq(partners.id, accounts.ownerId))
        .orderBy(asc(accounts.id))
        .limit(sql.placeholder('limit')),
    order: ascendingBy('id'),
  },
  partners: {
    select: ({ select, tables: { partners } }: Database) =>
      select({ isActive: partners.isActive, name: partners.name }).from(partners),
  },
});

const together = readTogether(partsOf());

/** The result of each select on its own. */
async function apart(db: Database, values: Record<string, unknown>) {
  const { entries, accounts, partners } = partsOf();
  return {
    entries: await entries.select(db).prepare().execute(values),
    accounts: await accounts.select(db).prepare().execute(values),
    partners: await partners.select(db).prepare().execute(values),
  };
}

describe('selects that are read together', () => {
  it('return the rows that each returns alone, with any texts, nulls and JSON', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { accounts, auditLog, partners } = db.tables;
    for (const [index, text] of TEXTS.entries()) {
      const actorId = index % 2 === 0 ? null : Number.MAX_SAFE_INTEGER;
      const before = index % 3 === 0 ? null : { text, list: [1, null, true] };
      await db.insert(auditLog, { atMs: index, action: text, actorId, before });
      await db.insert(accounts, account(text, Number.MAX_SAFE_INTEGER - 10));
    }
    const partner = { name: 'P"', nameKey: 'p', appUrl: '', createdAtMs: 1, updatedAtMs: 1 };
    await db.insert(partners, partner);
    const values = { least: 0, limit: 1_000 };
    const read = await together(db, values);
    expect(read).toEqual(await apart(db, values));
    expect(read.entries.map(({ action }) => action)).toEqual(TEXTS.toReversed());
    expect(read.accounts.map(({ name }) => name)).toEqual(TEXTS);
    expect(read.accounts[1]).toEqual({
      name: ' trailing ',
      isDeleted: false,
      erasesAtMs: null,
      id: expect.any(Number),
      partner: 'P"',
      isActive: true,
      later: Number.MAX_SAFE_INTEGER - 8,
      label: '" trailing ',
    });
    expect(await db.transaction((tx) => together(tx, values))).toEqual(read);
  });

  it('return an empty list for each query that finds nothing', async () => {
    await using test = await createTestDatabase(dialect);
    const nothing = { entries: [], accounts: [], partners: [] };
    expect(await together(test.database, { least: 0, limit: 10 })).toEqual(nothing);
  });

  it('keep the order and limit of each, and cut no long text', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { accounts, auditLog } = db.tables;
    // Beyond the megabyte at which MariaDB cuts an aggregated text.
    const long = `"${'ü👩🏽‍🚀\\'.repeat(80_000)}`;
    await db.insertMany(
      auditLog,
      Array.from({ length: 300 }, (_, atMs) => ({ atMs, action: `${atMs}`, before: null })),
    );
    await db.insert(auditLog, { atMs: 300, action: 'long', before: long });
    await db.insertMany(
      accounts,
      Array.from({ length: 201 }, (_, index) => account(`${index}`, index)),
    );
    const values = { least: 0, limit: 200 };
    const read = await together(db, values);
    expect(read.entries.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 200 }, (_, i) => 300 - i));
    expect(read.entries.map(({ before }) => before === long)).toEqual([
      true,
      ...Array.from({ length: 199 }, () => false),
    ]);
    expect([read.accounts.length, read.accounts[0]?.name]).toEqual([200, '0']);
  });

  it('are one statement on MySQL', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    await together(db, { least: 0, limit: 10 });
    const before = db.statistics.reads;
    await together(db, { least: 0, limit: 10 });
    expect(db.statistics.reads - before).toBe(dialect === 'mysql' ? 1 : 3);
  });
});
