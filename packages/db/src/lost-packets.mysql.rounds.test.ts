import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createTestDatabase,
  isStressRun,
  printMeasurements,
  startLossyLink,
} from '@gatehouse/testkit/database';
import { eq, sql } from 'drizzle-orm';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { describe, expect, it } from 'vitest';
import type { Database } from './database.js';
import { CommitUnknownError, DatabaseUnavailableError } from './database-errors.js';
import { openDatabase } from './open-database.js';

const TIMEOUT_MS = isStressRun() ? 5_000 : 2_000;
const CALLERS = isStressRun() ? [1, 12] : [12];
const MAX_ANSWER_MS = TIMEOUT_MS + 1_000;
const MAX_RECOVERY_MS = 3_000;
const BOUNDS = {
  poolSize: 12,
  acquireTimeoutMs: TIMEOUT_MS,
  queryTimeoutMs: TIMEOUT_MS,
  transactionTimeoutMs: TIMEOUT_MS,
};

async function openPlace() {
  const test = await createTestDatabase('mysql', { poolSize: 1 });
  const { database: direct } = test;
  const { hostname, port, pathname } = new URL(test.url);
  const link = await startLossyLink({ host: hostname, port: Number(port) });
  const url = Object.assign(new URL(test.url), { hostname: '127.0.0.1', port: link.port });
  const db = await openDatabase(url.href, BOUNDS);
  await direct.ping();
  await until(() => fillPool(db), 10_000);
  const watcher = await createConnection(test.url);
  return {
    link,
    direct,
    db,
    /** The server's connections of the handle under test. */
    async serverThreads(): Promise<number> {
      const [rows] = await watcher.query<RowDataPacket[]>('show processlist');
      return rows.filter(({ db: place }) => place === pathname.slice(1)).length - OF_THE_TEST;
    },
    async [Symbol.asyncDispose]() {
      await watcher.end();
      await db.close();
      await link[Symbol.asyncDispose]();
      await test[Symbol.asyncDispose]();
    },
  };
}

/** Holds all connections at once, so that none is still being opened afterwards. False if one was not available in time. */
async function fillPool(db: Database): Promise<boolean> {
  let held = 0;
  let open: (() => void) | undefined;
  const isFull = new Promise<void>((resolve) => {
    open = resolve;
  });
  const filled = await Promise.allSettled(
    Array.from({ length: BOUNDS.poolSize }, () =>
      db.transaction(async () => {
        held += 1;
        if (held === BOUNDS.poolSize) open?.();
        await isFull;
      }),
    ),
  );
  return filled.every(({ status }) => status === 'fulfilled');
}

/** One session for the watcher, one for the direct handle. */
const OF_THE_TEST = 2;

/** The kinds of requests: reads, a single write, and a transaction that reads and writes. */
async function useEveryWay(db: Database, key: string): Promise<void> {
  const { limits } = db.tables;
  await db.select({ points: limits.points }).from(limits).where(eq(limits.key, 'none'));
  await db.transaction(async (tx) => {
    await tx.insert(limits, { key, points: 1 });
    await tx.write(
      tx
        .update(limits)
        .set({ points: sql`${limits.points} + 1` })
        .where(eq(limits.key, key)),
    );
  });
}

const KINDS = [
  { kind: 'plain SELECT', statement: /^select/i, moment: 'before' },
  { kind: 'answer of a SELECT', statement: /^select .*`limits`/i, moment: 'after' },
  { kind: 'BEGIN', statement: /^START TRANSACTION/i, moment: 'before' },
  { kind: 'INSERT', statement: /^insert/i, moment: 'before' },
  { kind: 'UPDATE', statement: /^update/i, moment: 'before' },
  { kind: 'answer of an UPDATE', statement: /^update/i, moment: 'after' },
  { kind: 'COMMIT', statement: /^COMMIT/i, moment: 'before' },
  { kind: 'answer of a COMMIT', statement: /^COMMIT/i, moment: 'after' },
] as const;

async function timed(use: () => Promise<unknown>) {
  const startedMs = performance.now();
  try {
    await use();
    return { error: undefined, tookMs: performance.now() - startedMs };
  } catch (error) {
    return { error, tookMs: performance.now() - startedMs };
  }
}

async function until(condition: () => Promise<boolean>, withinMs: number): Promise<number> {
  const startedMs = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedMs > withinMs) throw new Error('it does not come to that');
    await pause(20);
  }
  return performance.now() - startedMs;
}

describe('a database whose packets are lost', () => {
  it.each(KINDS)(
    'fails in time at a lost $kind, for one caller and for twelve, and then works again',
    {
      timeout: 120_000,
    },
    async ({ kind, statement, moment }) => {
      await using place = await openPlace();
      const { db, direct, link } = place;
      const { limits } = db.tables;
      const isCommit = kind.endsWith('COMMIT');
      for (const callers of CALLERS) {
        const keys = Array.from({ length: callers }, (_, caller) => `${callers}-${caller}`);
        link.loseAt(statement, moment);
        const asked = await Promise.all(keys.map((key) => timed(() => useEveryWay(db, key))));
        link.forward();
        for (const { error } of asked) expect(error).toBeInstanceOf(DatabaseUnavailableError);
        expect(asked.filter(({ error }) => error instanceof CommitUnknownError)).toHaveLength(
          isCommit ? callers : 0,
        );
        const slowestMs = Math.max(...asked.map(({ tookMs }) => tookMs));
        expect(slowestMs).toBeLessThan(MAX_ANSWER_MS);

        const recoveryMs = await until(async () => {
          const next = await Promise.all(keys.map(() => timed(() => useEveryWay(db, randomUUID()))));
          return next.every(({ error }) => error === undefined);
        }, MAX_RECOVERY_MS);
        printMeasurements(`a lost ${kind}`, {
          callers,
          slowestMs: Math.round(slowestMs),
          recoveryMs: Math.round(recoveryMs),
        });

        // The server has rolled back abandoned transactions and keeps no abandoned connection. The killer's
        // session may exist until they are gone.
        await until(async () => {
          const { clientSockets } = link.statistics;
          return clientSockets === (await place.serverThreads()) && clientSockets <= BOUNDS.poolSize;
        }, 5_000);
        const kept = await direct.select({ key: limits.key, points: limits.points }).from(limits);
        const isKept = kind === 'answer of a COMMIT';
        for (const key of keys)
          expect(kept.filter((row) => row.key === key)).toEqual(isKept ? [{ key, points: 2 }] : []);
      }
    },
  );

  it('answers with the error of the body when the ROLLBACK is lost', async () => {
    await using place = await openPlace();
    const { db, direct, link } = place;
    link.loseAt(/^ROLLBACK/i, 'before');
    const failure = new Error('changed my mind');
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, caller) =>
        timed(() =>
          db.transaction(async (tx) => {
            await tx.insert(tx.tables.limits, { key: `r-${caller}`, points: 1 });
            throw failure;
          }),
        ),
      ),
    );
    link.forward();
    for (const { error, tookMs } of asked) {
      expect(error).toBe(failure);
      expect(tookMs).toBeLessThan(1_500);
    }
    await until(async () => (await place.serverThreads()) === link.statistics.clientSockets, 5_000);
    expect((await timed(() => useEveryWay(db, 'r-0'))).error).toBeUndefined();
    expect(await direct.select({ key: direct.tables.limits.key }).from(direct.tables.limits)).toHaveLength(1);
  });

  it('delays the first caller by a time-out, and no other, when every idle connection has died', async () => {
    await using place = await openPlace();
    const { db, link } = place;
    link.silence();
    expect((await timed(() => db.ping())).tookMs).toBeLessThan(MAX_ANSWER_MS);
    const isServed = async () => (await timed(() => useEveryWay(db, randomUUID()))).error === undefined;
    for (let caller = 0; caller < 12; caller += 1) await until(isServed, MAX_RECOVERY_MS);
    await until(async () => (await place.serverThreads()) === link.statistics.clientSockets, 5_000);
  });

  it('delays one transaction, and no other caller, when all connections fall silent in the middle of it', async () => {
    await using place = await openPlace();
    const { db, link } = place;
    const attempt = await timed(() =>
      db.transaction(async (tx) => {
        await tx.insert(tx.tables.limits, { key: 'middle', points: 1 });
        link.silence();
        await tx.write(tx.update(tx.tables.limits).set({ points: 2 }));
      }),
    );
    expect(attempt.error).toMatchObject({ name: 'DatabaseUnavailableError', reason: 'timeout' });
    expect(attempt.tookMs).toBeLessThan(MAX_ANSWER_MS);
    const recoveryMs = await until(async () => (await timed(() => db.ping())).error === undefined, 10_000);
    expect(recoveryMs).toBeLessThan(TIMEOUT_MS);
    await until(async () => (await place.serverThreads()) === link.statistics.clientSockets, 5_000);
  });

  it('is reported within the time-outs when no connection can be made, and connects again when it can', async () => {
    await using place = await openPlace();
    const { db, link } = place;
    link.silenceNew(true);
    link.silence();
    for (let round = 0; round < 3; round += 1) {
      const asked = await Promise.all(
        Array.from({ length: 30 }, (_, caller) => timed(() => useEveryWay(db, `s-${round}-${caller}`))),
      );
      for (const { error, tookMs } of asked) {
        expect(error).toBeInstanceOf(DatabaseUnavailableError);
        expect(error).not.toBeInstanceOf(CommitUnknownError);
        expect(tookMs).toBeLessThan(MAX_ANSWER_MS);
      }
    }
    link.silenceNew(false);
    const startedMs = performance.now();
    await until(async () => (await timed(() => useEveryWay(db, randomUUID()))).error === undefined, 6_000);
    expect(performance.now() - startedMs).toBeLessThan(6_000);
    await until(async () => link.statistics.clientSockets <= BOUNDS.poolSize, 5_000);
    expect(await db.pendingMigrations()).toEqual([]);
  });

  it('lets a caller who timed out wait only briefly for the statements that follow', async () => {
    await using place = await openPlace();
    const { db, link } = place;
    const { limits } = db.tables;
    link.loseAt(/^update/i, 'before');
    const update = () => db.write(db.update(limits).set({ points: 1 }));
    const undo = async () => {
      await update().catch(() => undefined);
      for (let step = 0; step < 2; step += 1) await update().catch(() => undefined);
    };
    // Each of the two that follow waits a tenth of the time-out.
    const longestMs = MAX_ANSWER_MS + 2 * (TIMEOUT_MS / 10);
    expect((await timed(undo)).tookMs).toBeLessThan(longestMs);
    link.silence();
    link.silenceNew(true);
    expect((await timed(undo)).tookMs).toBeLessThan(longestMs);
    link.silenceNew(false);
    link.forward();
    await until(async () => (await timed(update)).error === undefined, 2 * TIMEOUT_MS);
  });

  it('says over a new connection whether migrations are missing while the existing connections are stuck', async () => {
    await using place = await openPlace();
    place.link.silence();
    const { error, tookMs } = await timed(() => place.db.pendingMigrations());
    expect(error).toBeUndefined();
    expect(tookMs).toBeLessThan(MAX_RECOVERY_MS);
  });

  it('commits nothing once the time of a transaction is over, even where the event loop was late', async () => {
    await using place = await openPlace();
    const { db, direct } = place;
    const attempt = db.transaction(async (tx) => {
      await tx.insert(tx.tables.limits, { key: 'late', points: 1 });
      const startedMs = performance.now();
      while (performance.now() - startedMs < TIMEOUT_MS);
    });
    await expect(attempt).rejects.toMatchObject({ name: 'DatabaseUnavailableError', reason: 'timeout' });
    expect(await direct.select().from(direct.tables.limits)).toEqual([]);
  });

  it('gets no retry of a conflicting transaction once its time is over', async () => {
    await using place = await openPlace();
    const { db, direct } = place;
    await direct.insert(direct.tables.limits, { key: 'held', points: 1 });
    await direct.transaction(async (tx) => {
      await tx.write(tx.update(tx.tables.limits).set({ points: 2 }));
      const { error, tookMs } = await timed(() =>
        db.transaction((other) => other.write(other.update(other.tables.limits).set({ points: 3 }))),
      );
      expect(error).toBeInstanceOf(DatabaseUnavailableError);
      expect(tookMs).toBeLessThan(MAX_ANSWER_MS);
    });
  });
});
