import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type PrivateMariadb,
  printMeasurements,
  rounds,
  startPrivateMariadb,
} from '@gatehouse/testkit/database';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Database } from './database.js';
import { DatabaseUnavailableError } from './database-errors.js';
import { openDatabase } from './open-database.js';
import type { OpenOptions } from './open-options.js';

const BOUNDS = { connectTimeoutMs: 400, acquireTimeoutMs: 600, queryTimeoutMs: 500, poolSize: 4 };
const MAX_ANSWER_MS = 3_000;

async function openOn(server: PrivateMariadb, options: OpenOptions = BOUNDS) {
  const name = `outage_${randomUUID().replaceAll('-', '')}`;
  const database = await openDatabase(await server.createSchema(name), options);
  await database.migrate();
  return { database, [Symbol.asyncDispose]: () => database.close() };
}

const countLimits = (db: Database) => db.select({ key: db.tables.limits.key }).from(db.tables.limits);

/** Runs every kind of operation at once. Returns the errors and the slowest time. */
async function askEveryWay(db: Database, callers = 12) {
  const startedMs = performance.now();
  const answers = await Promise.allSettled(
    Array.from({ length: callers }, async (_, caller) => {
      if (caller % 4 === 0) await countLimits(db);
      if (caller % 4 === 1)
        await db.insert(db.tables.limits, { key: `w${caller}-${randomUUID()}`, points: 1 });
      if (caller % 4 === 2) await db.transaction(async (tx) => countLimits(tx));
      if (caller % 4 === 3) await db.ping();
    }),
  );
  const errors = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as unknown] : [],
  );
  return { errors, tookMs: performance.now() - startedMs };
}

async function untilAnswered(db: Database, withinMs: number): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    try {
      await db.ping();
      return performance.now() - startedMs;
    } catch (error) {
      if (performance.now() - startedMs > withinMs) throw error;
      await pause(50);
    }
  }
}

describe('a database that goes away', () => {
  it('is reported within the time-outs while it hangs, and is used again when it continues', async () => {
    await using server = await startPrivateMariadb();
    await using own = await openOn(server);
    const { database: db } = own;
    expect((await askEveryWay(db)).errors).toEqual([]);
    for (let round = 0; round < rounds({ suite: 2, stress: 10 }); round += 1) {
      await server.pause();
      for (let time = 0; time < 3; time += 1) {
        const { errors, tookMs } = await askEveryWay(db);
        expect(errors).toHaveLength(12);
        for (const error of errors) expect(error).toBeInstanceOf(DatabaseUnavailableError);
        expect(tookMs).toBeLessThan(MAX_ANSWER_MS);
      }
      server.resume();
      expect(await untilAnswered(db, 5_000)).toBeLessThan(5_000);
      expect((await askEveryWay(db)).errors).toEqual([]);
    }
  });

  it('is reported while it is down, and is used again once it is back', async () => {
    await using server = await startPrivateMariadb();
    await using own = await openOn(server);
    const { database: db } = own;
    for (let round = 0; round < rounds({ suite: 1, stress: 10 }); round += 1) {
      expect((await askEveryWay(db)).errors).toEqual([]);
      await server.kill9();
      const { errors, tookMs } = await askEveryWay(db);
      expect(errors).toHaveLength(12);
      for (const error of errors) expect(error).toBeInstanceOf(DatabaseUnavailableError);
      expect(tookMs).toBeLessThan(MAX_ANSWER_MS);
      await server.restart();
      await untilAnswered(db, 5_000);
      expect((await askEveryWay(db)).errors).toEqual([]);
    }
  });

  it('refuses a caller immediately when too many are waiting', async () => {
    await using server = await startPrivateMariadb();
    await using own = await openOn(server, { ...BOUNDS, poolSize: 1, queueLimit: 3 });
    const { database: db } = own;
    await db.transaction(async () => {
      const startedMs = performance.now();
      const asked = await Promise.allSettled(Array.from({ length: 10 }, () => db.ping()));
      const reasons = asked.map((answer) =>
        answer.status === 'rejected' ? String(answer.reason) : 'answered',
      );
      expect(reasons.filter((reason) => reason.endsWith('overloaded'))).toHaveLength(7);
      expect(reasons.filter((reason) => reason.endsWith('timeout'))).toHaveLength(3);
      expect(performance.now() - startedMs).toBeLessThan(MAX_ANSWER_MS);
    });
    await db.ping();
  });

  it('keeps committed writes and no others when it is killed', async () => {
    await using server = await startPrivateMariadb({ durable: true });
    await using own = await openOn(server);
    const { database: db } = own;
    const { limits, affiliates } = db.tables;
    const kills = rounds({ suite: 2, stress: 30 });
    let count = 0;
    let total = 0;
    for (let round = 0; round < kills; round += 1) {
      const acknowledged: number[] = [];
      let isDown = false;
      const writers = Array.from({ length: 4 }, async () => {
        while (!isDown) {
          count += 1;
          const turn = count;
          const done = await db
            .transaction(async (tx) => {
              await tx.insert(limits, { key: `pair-${turn}`, points: turn });
              await tx.insert(affiliates, {
                memberId: turn,
                code: `pair-${turn}`,
                codeKey: `pair-${turn}`,
                commissionBasisPoints: 1,
                payoutEmail: '',
                createdAtMs: 1,
                updatedAtMs: 1,
              });
              return true;
            })
            .catch(() => false);
          if (done) acknowledged.push(turn);
        }
      });
      while (acknowledged.length < 5) await pause(5);
      await pause(randomInt(1, 100));
      await server.kill9();
      isDown = true;
      await Promise.all(writers);
      await server.restart();
      await untilAnswered(db, 10_000);
      const first = await db.select({ key: limits.key }).from(limits);
      const second = await db.select({ key: affiliates.codeKey }).from(affiliates);
      const kept = new Set(first.map(({ key }) => key));
      expect(new Set(second.map(({ key }) => key))).toEqual(kept);
      expect(acknowledged.filter((turn) => !kept.has(`pair-${turn}`))).toEqual([]);
      total += acknowledged.length;
    }
    printMeasurements('commits kept through kill -9 of MariaDB', { kills, acknowledged: total, lost: 0 });
  });

  it('does not prevent a handle from closing while it hangs', async () => {
    await using server = await startPrivateMariadb();
    const own = await openOn(server);
    await Promise.all(Array.from({ length: 4 }, () => own.database.ping()));
    await server.pause();
    const startedMs = performance.now();
    await own.database.close();
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  it('has the same settings in every session', async () => {
    await using server = await startPrivateMariadb();
    await using own = await openOn(server);
    const { database: db } = own;
    const { limits } = db.tables;
    await db.insert(limits, { key: 'one row', points: 1 });
    const [session] = await db
      .select({
        mode: sql<string>`@@session.sql_mode`,
        zone: sql<string>`@@session.time_zone`,
        isolation: sql<string>`@@session.tx_isolation`,
        collation: sql<string>`@@session.collation_connection`,
        idle: sql<number>`@@session.idle_transaction_timeout`,
      })
      .from(limits)
      .where(eq(limits.key, 'one row'));
    expect(session).toMatchObject({
      zone: '+00:00',
      isolation: 'READ-COMMITTED',
      collation: 'utf8mb4_bin',
      idle: 10,
    });
    expect(session?.mode).toContain('STRICT_TRANS_TABLES');
    expect(session?.mode).not.toContain('NO_BACKSLASH_ESCAPES');
  });
});
