import { randomInt } from 'node:crypto';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { touchSessions } from '@gatehouse/db/queries/change-session';
import { insertSecurityEvent, recordRefusedLogin } from '@gatehouse/db/queries/security-event-log';
import { createLogger } from '@gatehouse/runtime/log/log';
import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  rounds,
  seedTestDatabase,
  testConfig,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createServices } from '../deployment/create-services.js';
import { startKilledService } from '../test/killed-service.js';
import { statisticsCounting } from './statistics-jobs.js';

const SLOT_MS = 900_000;

/** Counters by account, name and quarter of an hour. */
type Counts = Map<string, number>;

function add(counts: Counts, key: string, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

/** What the counters must say, counted from the rows. */
async function countRows(db: Database): Promise<Counts> {
  const { members, memberships, securityEvents, sessions } = db.tables;
  const places = (await db.select().from(memberships)).filter((row) => row.active && !row.isDeleted);
  const accountsOf = (memberId: number) => [
    0,
    ...places.filter((row) => row.memberId === memberId).map(({ accountId }) => accountId),
  ];
  const counts: Counts = new Map();
  const slot = (ms: number) => Math.floor(ms / SLOT_MS);
  for (const { id, createdAtMs } of await db.select().from(members))
    for (const account of accountsOf(id)) add(counts, `${account} signUp ${slot(createdAtMs)}`);
  const names = { ok: 'loginOk', failed: 'loginFailed', locked: 'loginLocked' };
  for (const { memberId, atMs, kind, outcome, times } of await db.select().from(securityEvents))
    for (const account of kind === 'login' ? accountsOf(memberId) : [])
      add(counts, `${account} ${names[outcome]} ${slot(atMs)}`, times);
  const newest = new Map<number, number>();
  for (const { memberId, lastSeenAtMs } of await db.select().from(sessions))
    newest.set(memberId, Math.max(newest.get(memberId) ?? 0, slot(lastSeenAtMs)));
  for (const [memberId, at] of newest)
    for (const account of accountsOf(memberId)) add(counts, `${account} seen ${at}`);
  return counts;
}

async function readCounters(db: Database): Promise<Counts> {
  const rows = await db.select().from(db.tables.statisticCounters);
  return new Map(
    rows
      .filter(({ count }) => count !== 0)
      .map((row) => [`${row.accountId} ${row.name} ${row.slot}`, row.count]),
  );
}

function servicesOver(db: Database) {
  const log = createLogger({ service: 'test', level: 'silent' });
  return createServices({ config: testConfig(), db, log, application: 'web' });
}

/** Things happen: somebody signs up and is seen, some sign-ins succeed, others are refused. */
async function happen(db: Database, round: number): Promise<void> {
  const nowMs = Date.now() - (round % 5) * SLOT_MS;
  const { id } = await insertTestMember(db, { memberships: { [1 + (round % 3)]: 5 } });
  const refuse = (memberId: number | undefined) =>
    recordRefusedLogin(db, {
      memberId,
      nameDigest: 'nobody',
      outcome: 'failed',
      address: '127.0.0.9',
      device: '',
      nowMs,
    });
  for (const memberId of [3, 8, undefined, 3, 8]) await refuse(memberId);
  await insertSecurityEvent(db, {
    memberId: id,
    atMs: nowMs,
    kind: 'login',
    address: null,
    device: null,
    actorId: null,
  });
  const rows = await db.select().from(db.tables.sessions);
  await touchSessions(
    db,
    rows.filter((row) => row.id % 2 === round % 2).map((row) => row.id),
    Date.now() + round * SLOT_MS,
  );
}

describe('the counters of the statistics', () => {
  it('equal a count of the rows after kill -9 at any statement', { timeout: 1_200_000 }, async () => {
    const kills = rounds({ suite: 2, stress: 150 });
    await using world = await createTestDatabase(inject('dialect'));
    await seedTestDatabase(world.database);
    const db = world.database;
    for (let round = 0; round < kills; round += 1) {
      await happen(db, round);
      await using counting = await startKilledService(world.url, {
        statement: randomInt(1, 40),
        when: round % 2 === 0 ? 'before' : 'during',
        doing: 'counting',
      });
      // It continues counting, and if it has counted everything, is killed by something that happens now.
      const isOver = { now: false };
      void counting.ended.then(() => {
        isOver.now = true;
      });
      for (let more = 0; !isOver.now; more += 1) await happen(db, round + more);
    }
    const left = await countRows(db);
    const before = await readCounters(db);
    const services = servicesOver(db);
    while ((await statisticsCounting.run(services)) > 0);
    expect(await readCounters(db)).toEqual(left);
    const seen = [...left]
      .filter(([key]) => key.includes(' seen '))
      .reduce((sum, [, count]) => sum + count, 0);
    expect(await db.select().from(db.tables.seenMembers)).toHaveLength(seen);
    printMeasurements('statistics after kill -9', {
      kills,
      counters: left.size,
      leftByTheDead: [...left].filter(([key, count]) => before.get(key) !== count).length,
    });
  });

  it('count everything once when several nodes count, while more happens', {
    timeout: 600_000,
  }, async () => {
    const times = rounds({ suite: 6, stress: 100 });
    await using world = await createTestDatabase(inject('dialect'));
    await seedTestDatabase(world.database);
    const other = await openDatabase(world.url);
    const nodes = [servicesOver(world.database), servicesOver(other)];
    for (let round = 0; round < times; round += 1) {
      await Promise.all([
        happen(world.database, round),
        ...nodes.map(async (services) => {
          while ((await statisticsCounting.run(services)) > 0);
        }),
      ]);
    }
    while ((await statisticsCounting.run(servicesOver(world.database))) > 0);
    expect(await readCounters(world.database)).toEqual(await countRows(world.database));
    await other.close();
  });
});
