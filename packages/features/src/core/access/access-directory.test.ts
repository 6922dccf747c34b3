import type { Database } from '@gatehouse/db/database';
import { settleAccessChanges } from '@gatehouse/db/queries/settle-access-changes';
import { createTestDatabase } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createAccessDirectory } from './access-directory.js';

const NEVER_MS = 2 ** 30;

interface DelayedRead {
  /** Its rows are read, and not given out yet. */
  readonly isRead: Promise<void>;
  open(): void;
}

/** The same database, whose next select can be delayed with what it has read. */
function withDelayedRead(db: Database): { delayed: Database; delayNext: () => DelayedRead } {
  let wrapNext: (<Query extends object>(query: Query) => Query) | undefined;
  const delayNext = (): DelayedRead => {
    let open: () => void = () => undefined;
    let read: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const isRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    wrapNext = function wrap<Query extends object>(query: Query): Query {
      return new Proxy(query, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          if (name !== 'then')
            return (...args: unknown[]) => wrap(Reflect.apply(value, target, args) as object);
          return (...handlers: [() => void, () => void]) =>
            Promise.resolve(target)
              .then(async (rows) => {
                read();
                await opened;
                return rows;
              })
              .then(...handlers);
        },
      });
    };
    return { isRead, open };
  };
  const delayed = new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      const wrap = wrapNext;
      if (name !== 'select' || wrap === undefined) return value;
      wrapNext = undefined;
      return (...args: []) => wrap(target.select(...args));
    },
  });
  return { delayed, delayNext };
}

describe('the directory of accounts that require a level', () => {
  it('is read again after a change that became visible late, during the read', async () => {
    await using own = await createTestDatabase(inject('dialect'));
    const { database: db } = own;
    const { accounts, accessChanges } = db.tables;
    const person = { ownerId: 1, openedById: 1, createdAtMs: 1, updatedAtMs: 1 };
    const accountId = await db.insert(accounts, { ...person, name: 'One', nameKey: 'one' });
    await settleAccessChanges(db);
    const { delayed, delayNext } = withDelayedRead(db);
    const directory = createAccessDirectory(delayed, { now: () => 1_000, settleAfterMs: NEVER_MS });
    await directory.current();
    const late = directory.logPosition() + 1;
    await db.insert(accessChanges, { id: late + 1, memberId: 7, atMs: 1 });
    await directory.current();
    expect(directory.logPosition()).toBe(late + 1);

    const read = delayNext();
    const reading = directory.accountsAbove(1);
    await read.isRead;
    await db.transaction(async (tx) => {
      await tx.write(tx.update(accounts).set({ requiredLevel: 2 }));
      await tx.insert(accessChanges, { id: late, accountId, atMs: 1 });
    });
    await directory.current();
    read.open();
    expect([...(await reading)]).toEqual([]);
    expect([...(await directory.accountsAbove(1))]).toEqual([accountId]);
  });

  it('is read once for all concurrent callers', async () => {
    await using own = await createTestDatabase(inject('dialect'));
    const { delayed, delayNext } = withDelayedRead(own.database);
    const directory = createAccessDirectory(delayed, { now: () => 1_000 });
    await directory.current();
    const read = delayNext();
    const first = directory.accountsAbove(1);
    await read.isRead;
    const second = directory.accountsAbove(1);
    read.open();
    expect((await Promise.all([first, second])).map(({ size }) => size)).toEqual([0, 0]);
    expect(directory.statistics.loads).toBe(1);
  });
});
