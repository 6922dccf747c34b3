import { changeAccess } from '@gatehouse/db/queries/change-access';
import { shutAccount } from '@gatehouse/db/queries/change-accounts';
import { raceForAccess } from '@gatehouse/features/test/race-for-access';
import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  rounds,
  seedTestDatabase,
  spawnService,
  type TestMember,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

describe('a loss of access', () => {
  it('is seen by every request that begins after it was acknowledged, on both nodes', {
    timeout: 900_000,
  }, async () => {
    await using own = await createTestDatabase(dialect);
    const db = own.database;
    await seedTestDatabase(db);
    // The first spaces its reads of the change log as in a fleet, the second does not.
    const node = (ACCESS_READ_INTERVAL_MS: string) =>
      spawnService('api-main', {
        databaseUrl: own.url,
        env: { LOG_LEVEL: 'error', ACCESS_READ_INTERVAL_MS },
      });
    await using first = await node('2');
    await using second = await node('0');
    const total = rounds({ suite: 48, stress: 1_000 });
    const startedAt = performance.now();
    const report = await raceForAccess({ db, nodes: [first.url, second.url], losses: total });

    printMeasurements(`a loss of access is seen by the next request (${dialect})`, {
      rounds: total,
      ...report,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
    });
    expect(report.tooLate).toBe(0);
    expect(report.faults).toBe(0);
    expect(report.allowed).toBeGreaterThan(total);
    expect(report.refused).toBeGreaterThan(total / 4);
  });

  it('of a whole account is seen by the next request of each of its members', async () => {
    await using own = await createTestDatabase(dialect);
    const db = own.database;
    await seedTestDatabase(db);
    await using node = await spawnService('api-main', { databaseUrl: own.url });
    const members = await Promise.all([1, 2, 3].map(() => insertTestMember(db, { memberships: { 3: 2 } })));
    const status = async ({ token }: TestMember) =>
      (await fetch(`${node.url}/auth/me`, { headers: { token, accountid: '3' } })).status;
    expect(await Promise.all(members.map(status))).toEqual([200, 200, 200]);
    const nowMs = Date.now();
    await changeAccess(db, { members: [], accounts: [3] }, (tx) =>
      shutAccount(tx, { accountId: 3, closedById: 1, erasesAtMs: 1, nowMs }),
    );
    expect(await Promise.all(members.map(status))).toEqual([403, 403, 403]);
  });
});
