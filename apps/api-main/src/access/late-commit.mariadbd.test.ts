import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@gatehouse/db/database';
import { openDatabase } from '@gatehouse/db/open-database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import {
  insertTestMember,
  type PrivateMariadb,
  printMeasurements,
  seedTestDatabase,
  startPrivateMariadb,
  startService,
  type TestMember,
  unsettled,
} from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { createApp } from '../app.js';

const LATE_MS = 16_000;

const statement = (sql: string, ...params: unknown[]) => ({ toSQL: () => ({ sql, params }) });

/** Two nodes over one server. The first waits long enough for a late commit. */
async function startNodes(server: PrivateMariadb) {
  const url = await server.createSchema('gatehouse');
  const watch = await openDatabase(url, { transactionTimeoutMs: 60_000 });
  await watch.migrate();
  await seedTestDatabase(watch);
  // With shorter limits the client would abort the commit, which would make it visible.
  const patient = { queryTimeoutMs: 40_000, transactionTimeoutMs: 60_000 };
  const databases = [await openDatabase(url, patient), await openDatabase(url)];
  const services = await Promise.all(
    databases.map((database) => startService(createApp, { dialect: 'mysql', application: 'web', database })),
  );
  return {
    url,
    watch,
    services,
    async [Symbol.asyncDispose]() {
      for (const service of services) await service[Symbol.asyncDispose]();
      for (const database of [...databases, watch]) await database.close();
    },
  };
}

async function isBanned(db: Database, { id }: TestMember): Promise<boolean> {
  const rows = await db
    .select({ id: db.tables.members.id, role: db.tables.members.roleType })
    .from(db.tables.members);
  return rows.some((row) => row.id === id && row.role === 11);
}

async function hasEnded(db: Database, { id }: TestMember): Promise<boolean> {
  const { memberId, endedAtMs } = db.tables.sessions;
  const rows = await db.select({ memberId, endedAtMs }).from(db.tables.sessions);
  return rows.some((row) => row.memberId === id && row.endedAtMs !== null);
}

describe('a commit that becomes visible late', () => {
  it('applies to the next request on both nodes after 16 s of semi-synchronous replication, even behind higher ids', {
    timeout: 90_000,
  }, async () => {
    await using server = await startPrivateMariadb({ settings: ['--log-bin=bin', '--server-id=1'] });
    await using nodes = await startNodes(server);
    const { services, url, watch } = nodes;
    const [first, second] = services;
    if (!first || !second) throw new Error('two nodes were started');
    const member = () => insertTestMember(watch, { memberships: { 1: 2 } });
    const [leaver, banned, other] = await Promise.all([member(), member(), member()]);
    const status = async (service: typeof first, { token }: TestMember) =>
      (await service.send('/auth/me', { token })).status;
    for (const service of services)
      for (const one of [leaver, banned, other])
        for (let time = 0; time < 3; time += 1) expect(await status(service, one)).toBe(200);

    const unlogged = await openDatabase(url, { poolSize: 1 });
    await unlogged.write(statement('set session sql_log_bin = 0'));
    for (const setting of [
      'timeout = 16000',
      'wait_no_slave = 1',
      "wait_point = 'AFTER_SYNC'",
      'enabled = 1',
    ])
      await watch.write(statement(`set global rpl_semi_sync_master_${setting}`));
    const startedAt = performance.now();
    const logout = first.send('/auth/logout', { method: 'POST', token: leaver.token });
    const ban = changeAccess(first.database, { members: [banned.id] }, (tx) =>
      setMemberRole(unsettled(tx), { memberId: banned.id, roleType: 11, role: 'Archived', nowMs: 1 }),
    );
    const outcomes = Promise.allSettled([logout, ban]);
    await pause(1_000);

    let requests = 0;
    let stale = 0;
    const visibleAfterMs: number[] = [];
    for (const [who, isOver] of [
      [leaver, hasEnded],
      [banned, isBanned],
    ] as const) {
      for (;;) {
        await unlogged.insert(unlogged.tables.accessChanges, { memberId: other.id, atMs: 1 });
        const wasVisible = await isOver(watch, who);
        const statuses = await Promise.all(services.map((service) => status(service, who)));
        requests += statuses.length;
        if (wasVisible) {
          stale += statuses.filter((answer) => answer === 200).length;
          visibleAfterMs.push(Math.round(performance.now() - startedAt));
          break;
        }
        await pause(50);
      }
    }
    await outcomes;
    printMeasurements('a commit visible 16 s late', {
      requests,
      stale,
      visibleAfterMs: visibleAfterMs.join(', '),
    });
    expect(Math.max(...visibleAfterMs)).toBeGreaterThan(LATE_MS - 1_000);
    expect(stale).toBe(0);
    for (const service of services) {
      expect(await status(service, leaver)).toBe(401);
      expect(await status(service, banned)).toBe(401);
      expect(await status(service, other)).toBe(200);
    }
    await unlogged.close();
  });

  it('applies to the next request on both nodes after a transaction that outlasts every time-out', {
    timeout: 90_000,
  }, async () => {
    await using server = await startPrivateMariadb();
    await using nodes = await startNodes(server);
    const { services, watch } = nodes;
    const banned = await insertTestMember(watch, { memberships: { 1: 2 } });
    const other = await insertTestMember(watch, { memberships: { 1: 2 } });
    const statuses = (token: string) =>
      Promise.all(services.map(async (service) => (await service.send('/auth/me', { token })).status));
    for (let time = 0; time < 3; time += 1) expect(await statuses(banned.token)).toEqual([200, 200]);
    await changeAccess(watch, { members: [banned.id] }, async (tx) => {
      await setMemberRole(unsettled(tx), { memberId: banned.id, roleType: 11, role: 'Archived', nowMs: 1 });
      await tx.insert(tx.tables.accessChanges, { memberId: banned.id, atMs: 1 });
      const endsAt = performance.now() + 12_000;
      while (performance.now() < endsAt) {
        // Adds a higher id and another reader, and keeps the server from ending an idle transaction.
        await watch.insert(watch.tables.accessChanges, { memberId: other.id, atMs: 1 });
        await tx.select().from(tx.tables.leases);
        expect(await statuses(other.token)).toEqual([200, 200]);
        await pause(500);
      }
    });
    expect(await statuses(banned.token)).toEqual([401, 401]);
    expect(await statuses(other.token)).toEqual([200, 200]);
  });
});
