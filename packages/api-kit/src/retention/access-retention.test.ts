import { insertAudit } from '@gatehouse/db';
import { createTestDatabase, insertTestMember, seedTestDatabase, testConfig } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createLogger } from '../log.js';
import { makeKit } from '../make-kit.js';
import { accessRetention } from './access-retention.js';

const DAY_MS = 86_400_000;

describe('the retention of access data', () => {
  it('removes what has expired in batches, and nothing that still counts', async () => {
    await using own = await createTestDatabase(inject('dialect'));
    const db = own.database;
    await seedTestDatabase(db);
    let nowMs = Date.now();
    const log = createLogger({ service: 'test', level: 'silent' });
    const kit = makeKit({ config: testConfig(), db, log, application: 'web', now: () => nowMs });
    const { accessChanges, auditLog, revocations, sessions } = db.tables;
    const key = (index: number) => index.toString(16).padStart(64, '0');
    await db.insertMany(
      revocations,
      Array.from({ length: 1_200 }, (_, index) => ({ tokenKey: key(index), expiresAtMs: nowMs + DAY_MS })),
    );
    await db.insert(revocations, { tokenKey: key(5_000), expiresAtMs: nowMs + 30 * DAY_MS });
    await insertTestMember(db, { memberships: { 1: 5 } });
    await db.insert(accessChanges, { memberId: 3, atMs: nowMs });
    await insertAudit(db, { atMs: nowMs, action: 'session.started' });

    const left = async (
      table: typeof revocations | typeof sessions | typeof accessChanges | typeof auditLog,
    ) => (await db.select().from(table)).length;
    const runUntilDone = async () => {
      let turns = 0;
      while ((await accessRetention.run(kit)) > 0) turns += 1;
      return turns;
    };
    expect(await runUntilDone()).toBe(0);
    expect([await left(revocations), await left(sessions)]).toEqual([1_201, 1]);

    // Another node's clock may be behind, and would take these for tokens that nobody ended.
    nowMs += DAY_MS + 30 * 60_000;
    await runUntilDone();
    expect(await left(revocations)).toBe(1_201);

    nowMs += DAY_MS;
    expect(await runUntilDone()).toBeGreaterThan(1);
    expect([await left(revocations), await left(sessions), await left(accessChanges)]).toEqual([1, 0, 0]);
    expect(await left(auditLog)).toBeGreaterThan(0);

    nowMs += 10 * 366 * DAY_MS;
    await runUntilDone();
    expect([await left(revocations), await left(auditLog)]).toEqual([0, 0]);
    await kit.activity.close();
  });
});
