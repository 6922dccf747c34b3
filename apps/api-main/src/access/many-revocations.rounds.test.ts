import { readFileSync } from 'node:fs';
import type { Database } from '@gatehouse/db/database';
import {
  createTestDatabase,
  insertTestMember,
  isStressRun,
  printMeasurements,
  rounds,
  type SpawnedService,
  seedTestDatabase,
  spawnService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const DAY_MS = 86_400_000;
/** A transaction must end within the time-out of every write, on a busy machine too. */
const ROWS_AT_ONCE = 1_000;

async function insertRevocations(db: Database, total: number): Promise<void> {
  const expiresAtMs = Date.now() + 7 * DAY_MS;
  for (let start = 0; start < total; start += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, total - start) }, (_, index) => ({
      tokenKey: `${(start + index).toString(16).padStart(8, '0')}${'ab'.repeat(28)}`,
      expiresAtMs,
    }));
    await db.insertMany(db.tables.revocations, rows);
  }
}

async function insertMembers(db: Database, total: number): Promise<void> {
  const { members, memberships } = db.tables;
  const first = 1_000_000;
  for (let start = 0; start < total; start += ROWS_AT_ONCE) {
    const ids = Array.from(
      { length: Math.min(ROWS_AT_ONCE, total - start) },
      (_, index) => first + start + index,
    );
    await db.insertMany(
      members,
      ids.map((id) => ({
        id,
        sid: `load${id}@many.test`,
        sidKey: `load${id}@many.test`,
        username: `load${id}`,
        usernameKey: `load${id}`,
        firstName: 'Load',
        firstNameKey: 'load',
        lastName: 'Member',
        lastNameKey: 'member',
        password: '-',
        roleType: 5,
        role: 'User Member',
        createdAtMs: 1,
        updatedAtMs: 1,
      })),
    );
    await db.insertMany(
      memberships,
      ids.map((memberId) => ({ memberId, accountId: 1, roleType: 5, createdAtMs: 1, updatedAtMs: 1 })),
    );
  }
}

function residentBytes({ pid }: SpawnedService): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return pages * 4_096;
}

/** Guarded requests per second with 16 callers at once. */
async function throughput(service: SpawnedService, token: string, requests: number): Promise<number> {
  let sent = 0;
  const startedAt = performance.now();
  const client = async () => {
    while (sent < requests) {
      sent += 1;
      const response = await service.send('/auth/me', { token, accountId: 1 });
      await response.arrayBuffer();
      expect(response.status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
  return (sent / (performance.now() - startedAt)) * 1_000;
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

describe('a table full of revocations', () => {
  it('does not delay a start, fill the memory or slow a request', { timeout: 900_000 }, async () => {
    const revocations = rounds({ suite: 20_000, stress: 1_000_000 });
    const members = rounds({ suite: 2_000, stress: 100_000 });
    const requests = rounds({ suite: 300, stress: 4_000 });
    await using full = await createTestDatabase(dialect);
    await using empty = await createTestDatabase(dialect);
    const callers = [];
    for (const { database } of [full, empty]) {
      await seedTestDatabase(database);
      callers.push(await insertTestMember(database, { memberships: { 1: 2 } }));
    }
    await insertRevocations(full.database, revocations);
    await insertMembers(full.database, members);

    const env = { LOG_LEVEL: 'error' };
    const startedAt = performance.now();
    await using withMany = await spawnService('api-main', { databaseUrl: full.url, env });
    expect((await withMany.send('/readyz')).status).toBe(200);
    const readyMs = performance.now() - startedAt;
    await using withNone = await spawnService('api-main', { databaseUrl: empty.url, env });

    const ratios: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const many = await throughput(withMany, callers[0]?.token ?? '', requests);
      const none = await throughput(withNone, callers[1]?.token ?? '', requests);
      if (round > 1) ratios.push(many / none);
    }
    const bytesPerRevocation = (residentBytes(withMany) - residentBytes(withNone)) / revocations;
    printMeasurements(`a table full of revocations (${dialect})`, {
      revocations,
      members,
      readyMs: Math.round(readyMs),
      bytesPerRevocation: bytesPerRevocation.toFixed(1),
      throughputRatio: median(ratios).toFixed(3),
    });
    expect(readyMs).toBeLessThan(5_000);
    // No revocation is held in memory, so the two processes differ only by noise.
    expect(bytesPerRevocation * revocations).toBeLessThan(40_000_000);
    expect(median(ratios)).toBeGreaterThan(isStressRun() ? 0.9 : 0.6);
  });
});
