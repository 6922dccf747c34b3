import { createTestDatabase } from '@gatehouse/testkit/database';
import { asc, eq, sql } from 'drizzle-orm';
import { describe, expect, inject, it } from 'vitest';
import { DuplicateKeyError } from './database-errors.js';
import { UnstorableTextError } from './dialect/stored-text.js';
import { openDatabase } from './open-database.js';

const dialect = inject('dialect');

const account = (name: string) => ({ name, nameKey: name, ownerId: 1, createdAtMs: 1, updatedAtMs: 1 });

const partner = (name: string) => ({
  name,
  nameKey: name,
  appUrl: 'http://p.test',
  createdAtMs: 1,
  updatedAtMs: 1,
});

describe('a database handle', () => {
  it('refuses a URL of another kind', async () => {
    await expect(openDatabase('postgres://localhost/x')).rejects.toThrow(TypeError);
  });

  it('returns the id of an inserted row, and never assigns it twice', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { accounts } = db.tables;
    const first = await db.insert(accounts, account('one'));
    const second = await db.insert(accounts, account('two'));
    expect(second).toBeGreaterThan(first);
    await db.write(db.delete(accounts).where(eq(accounts.id, second)));
    expect(await db.insert(accounts, account('three'))).toBeGreaterThan(second);
  });

  it('returns every kind of column as it was stored', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { auditLog, members } = db.tables;
    const before = {
      text: 'quote " backslash \\ percent % NUL \0 half \ud83d',
      list: [1, null, true, { deep: 'ü' }],
    };
    const atMs = Number.MAX_SAFE_INTEGER;
    const id = await db.insert(auditLog, {
      atMs,
      action: "it's; -- \\",
      before,
      after: null,
      subjectId: '42',
    });
    const [row] = await db.select().from(auditLog).where(eq(auditLog.id, id));
    expect(row).toMatchObject({
      id,
      atMs,
      action: "it's; -- \\",
      before,
      after: null,
      actorId: null,
      subjectId: '42',
    });

    const text = 'ß 语 👩🏽‍🚀 \r\n\t " \' \\ % _ 𝔘';
    const memberId = await db.insert(members, {
      sid: 's',
      sidKey: 's',
      username: text,
      usernameKey: 's',
      firstName: '',
      firstNameKey: '',
      lastName: ' trailing ',
      lastNameKey: 'trailing',
      password: 'p',
      roleType: 5,
      role: 'User Member',
      createdAtMs: 0,
      updatedAtMs: 0,
      isPersonnel: true,
    });
    const [member] = await db.select().from(members).where(eq(members.id, memberId));
    expect(member).toMatchObject({
      username: text,
      firstName: '',
      lastName: ' trailing ',
      email: null,
      isPersonnel: true,
      isDeleted: false,
      sessionEpoch: 0,
      defaultPaymentId: 2,
    });
  });

  it('says how many rows a statement matched, whether it changed them or not', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { accounts } = db.tables;
    await db.insertMany(accounts, [account('same'), account('same'), account('other')]);
    const rename = db.update(accounts).set({ name: 'same' }).where(eq(accounts.nameKey, 'same'));
    expect(await db.write(rename)).toBe(2);
    expect(await db.write(db.update(accounts).set({ name: 'x' }).where(eq(accounts.id, -1)))).toBe(0);
    expect(await db.write(db.delete(accounts).where(eq(accounts.nameKey, 'same')))).toBe(2);
  });

  it('inserts many rows, all or none', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { partners, auditLog } = db.tables;
    await db.insertMany(auditLog, []);
    await db.insertMany(
      auditLog,
      Array.from({ length: 1_234 }, (_, atMs) => ({ atMs, action: 'counted' })),
    );
    const [{ rows } = { rows: 0 }] = await db.select({ rows: sql<number>`count(*)` }).from(auditLog);
    expect(rows).toBe(1_234);

    const names = Array.from({ length: 1_000 }, (_, position) => partner(`p${position}`));
    await expect(db.insertMany(partners, [...names, partner('p0')])).rejects.toThrow(DuplicateKeyError);
    expect(await db.select().from(partners)).toEqual([]);
  });

  it('names the unique index that refused a row, in the same way on both databases', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { partners, partnerMembers, revocations } = db.tables;
    await db.insert(partners, partner("it's.twice"));
    await expect(db.insert(partners, partner("it's.twice"))).rejects.toMatchObject({
      name: 'DuplicateKeyError',
      constraint: 'partners_name_key_unique',
    });
    const link = { partnerId: 1, memberId: 2, linkedAtMs: 1 };
    await db.insert(partnerMembers, link);
    await expect(db.insert(partnerMembers, link)).rejects.toMatchObject({
      constraint: 'partner_members_partner_id_member_id_unique',
    });
    await db.insert(revocations, { tokenKey: 'k', expiresAtMs: 1 });
    await expect(db.insert(revocations, { tokenKey: 'k', expiresAtMs: 1 })).rejects.toMatchObject({
      constraint: 'PRIMARY',
    });
  });

  it('inserts once in fifty concurrent attempts, and lets other errors through', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { revocations, partners } = db.tables;
    const attempts = Array.from({ length: 50 }, () =>
      db.insertOnce(revocations, { tokenKey: 'once', expiresAtMs: 1 }),
    );
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
    const inTransactions = Array.from({ length: 50 }, () =>
      db.transaction(async (tx) => tx.insertOnce(revocations, { tokenKey: 'twice', expiresAtMs: 1 })),
    );
    expect((await Promise.all(inTransactions)).filter(Boolean)).toHaveLength(1);
    await expect(db.insertOnce(partners, { ...partner('n'), nameKey: null as never })).rejects.toThrow(
      /null/i,
    );
  });

  it('continues a transaction in which a row was refused', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { partners } = db.tables;
    await db.insert(partners, partner('taken'));
    await db.transaction(async (tx) => {
      await tx.insert(partners, partner('first'));
      expect(await tx.insertOnce(partners, partner('taken'))).toBe(false);
      await tx.insert(partners, partner('second'));
    });
    const rows = await db.select({ name: partners.name }).from(partners).orderBy(asc(partners.id));
    expect(rows.map(({ name }) => name)).toEqual(['taken', 'first', 'second']);
  });

  it('compares text code point by code point', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { partners } = db.tables;
    for (const name of ['a', 'A', 'ä', 'á', 'ａ', 'ß', 'ss']) await db.insert(partners, partner(name));
    for (const name of ['a', 'A', 'ä', 'á', 'ａ', 'ß', 'ss']) {
      const found = await db.select({ name: partners.name }).from(partners).where(eq(partners.nameKey, name));
      expect(found).toEqual([{ name }]);
    }
  });

  it('runs a change only through write', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { accounts } = db.tables;
    await db.insert(accounts, account('kept'));
    await expect(db.update(accounts).set({ name: 'lost' })).rejects.toThrow('only through write()');
    await expect(db.delete(accounts)).rejects.toThrow('only through write()');
    expect(await db.select({ name: accounts.name }).from(accounts)).toEqual([{ name: 'kept' }]);
  });

  it('refuses anything but text for text columns, in rows and in comparisons', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { partners } = db.tables;
    await db.insert(partners, partner('a1'));
    for (const value of [0, true, 1n, {}, []]) {
      const named = db
        .select()
        .from(partners)
        .where(eq(partners.nameKey, value as never));
      await expect(named).rejects.toThrow(TypeError);
      await expect(db.insert(partners, { ...partner('b'), name: value as never })).rejects.toThrow(TypeError);
    }
  });

  it('refuses text that it could not return unchanged', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    for (const name of ['a\0b', '\ud800', 'x\udfff']) {
      await expect(db.insert(db.tables.partners, partner(name))).rejects.toThrow(UnstorableTextError);
    }
  });

  it('puts no value of a failing statement into its error', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { accounts, partners } = db.tables;
    const canary = 'canary-4711';
    await db.insert(partners, partner(canary));
    const failures = await Promise.allSettled([
      db.insert(partners, partner(canary)),
      db.insert(partners, { ...partner(canary), nameKey: null as never }),
      db.select({ broken: sql`no_such_column` }).from(accounts).where(eq(accounts.name, canary)),
      db.write(db.update(accounts).set({ name: sql`no_such_column` }).where(eq(accounts.name, canary))),
    ]);
    for (const failure of failures) {
      if (failure.status === 'fulfilled') throw new Error('the statement was meant to fail');
      expect(everythingIn(failure.reason)).not.toContain(canary);
    }
  });

  it('counts what it reads and writes', async () => {
    await using test = await createTestDatabase(dialect);
    const { database: db } = test;
    const { accounts } = db.tables;
    const { reads, writes } = db.statistics;
    await db.insert(accounts, account('one'));
    await db.select().from(accounts);
    await db.transaction(async (tx) => {
      await tx.select().from(accounts);
      await tx.write(tx.update(accounts).set({ name: 'x' }));
    });
    expect(db.statistics).toMatchObject({ reads: reads + 2, writes: writes + 2 });
  });

  it('answers a ping, and nothing once it is closed', async () => {
    await using test = await createTestDatabase(dialect);
    const db = await openDatabase(test.url);
    await db.ping();
    await db.close();
    await db.close();
    for (const attempt of [() => db.ping(), () => db.insert(db.tables.accounts, account('late'))]) {
      await expect(attempt()).rejects.toMatchObject({ name: 'DatabaseUnavailableError', reason: 'closed' });
    }
  });
});

/** Every text in an error, in its own fields and those of its causes. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error);
  const fields = Object.getOwnPropertyNames(error).filter((name) => name !== 'cause');
  const own = fields.map((name) => String(Reflect.get(error, name))).join('\n');
  return error.cause === undefined ? own : `${own}\n${everythingIn(error.cause)}`;
}

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

it('a closed handle lets a running transaction finish, and no other begin', async () => {
  await using test = await createTestDatabase(dialect);
  const db = await openDatabase(test.url);
  const { limits } = db.tables;
  const begun = gate();
  const othersTried = gate();
  const underWay = db.transaction(async (tx) => {
    await tx.insert(limits, { key: 'first', points: 1 });
    begun.open();
    await othersTried.opened;
    await tx.insert(limits, { key: 'second', points: 1 });
  });
  await begun.opened;
  const closing = db.close();
  await expect(db.insert(limits, { key: 'late', points: 1 })).rejects.toMatchObject({ reason: 'closed' });
  await expect(db.transaction(async () => undefined)).rejects.toMatchObject({ reason: 'closed' });
  await expect(db.select().from(limits)).rejects.toMatchObject({ reason: 'closed' });
  othersTried.open();
  await underWay;
  await closing;
  const kept = await test.database.select({ key: limits.key }).from(limits).where(eq(limits.points, 1));
  expect(kept.map(({ key }) => key)).toEqual(['first', 'second']);
});
