import { insertAudit } from '@gatehouse/db/queries/audit-log';
import { readDatabaseTime } from '@gatehouse/db/queries/database-clock';
import { createLogger } from '@gatehouse/runtime/log/log';
import { createTestDatabase, insertTestMember, seedTestDatabase, testConfig } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createServices } from '../deployment/create-services.js';
import { accessRetention, loginFailureRetention } from './authentication-retention.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('the retention of access data', () => {
  it('removes what has expired in batches, and nothing that is still in effect', async () => {
    await using own = await createTestDatabase(inject('dialect'));
    const db = own.database;
    await seedTestDatabase(db);
    const nowMs = await readDatabaseTime(db);
    const log = createLogger({ service: 'test', level: 'silent' });
    const services = createServices({ config: testConfig(), db, log, application: 'web' });
    const { auditLog, revocations, sessions } = db.tables;
    const key = (index: number) => index.toString(16).padStart(64, '0');
    await db.insertMany(
      revocations,
      Array.from({ length: 1_200 }, (_, index) => ({ tokenKey: key(index), expiresAtMs: nowMs + DAY_MS })),
    );
    await db.insert(revocations, { tokenKey: key(5_000), expiresAtMs: nowMs + 30 * DAY_MS });
    await insertTestMember(db, { memberships: { 1: 5 } });
    await insertAudit(db, { atMs: nowMs, action: 'session.started' });

    const left = async (table: typeof revocations | typeof sessions | typeof auditLog) =>
      (await db.select().from(table)).length;
    const runUntilDone = async () => {
      let rounds = 0;
      while ((await accessRetention.run(services)) > 0) rounds += 1;
      return rounds;
    };
    /** Simulates that this much time has passed. */
    const passTime = async (ms: number) => {
      const shift = (table: string, column: string) =>
        db.write({ toSQL: () => ({ sql: `update ${table} set ${column} = ${column} - ?`, params: [ms] }) });
      await shift('revocations', 'expires_at_ms');
      await shift('sessions', 'expires_at_ms');
      await shift('audit_log', 'at_ms');
    };
    expect(await runUntilDone()).toBe(0);
    expect([await left(revocations), await left(sessions)]).toEqual([1_201, 1]);

    // A node whose clock is behind would accept these tokens as not ended.
    await passTime(DAY_MS + 23 * 60 * MINUTE_MS);
    await runUntilDone();
    expect(await left(revocations)).toBe(1_201);

    await passTime(DAY_MS);
    expect(await runUntilDone()).toBeGreaterThan(1);
    expect([await left(revocations), await left(sessions)]).toEqual([1, 0]);
    expect(await left(auditLog)).toBeGreaterThan(0);

    await passTime(10 * 366 * DAY_MS);
    await runUntilDone();
    expect(await left(revocations)).toBe(0);
    expect(await left(auditLog)).toBeGreaterThan(0);
    await services.activity.close();
  });

  it('uses the clock of the database where that of the node is ahead, and waits where it is behind', async () => {
    await using own = await createTestDatabase(inject('dialect'));
    const db = own.database;
    const { auditLog, revocations } = db.tables;
    const nowMs = await readDatabaseTime(db);
    await db.insert(revocations, { tokenKey: 'a'.repeat(64), expiresAtMs: nowMs - DAY_MS - 30 * MINUTE_MS });
    await db.insert(revocations, { tokenKey: 'b'.repeat(64), expiresAtMs: nowMs - DAY_MS + 30 * MINUTE_MS });
    await insertAudit(db, { atMs: nowMs, action: 'session.started' });
    const runWith = async (skewMs: number) => {
      const log = createLogger({ service: 'test', level: 'silent' });
      const services = createServices({
        config: testConfig(),
        db,
        log,
        application: 'web',
        now: () => Date.now() + skewMs,
      });
      while ((await accessRetention.run(services)) > 0);
      await services.activity.close();
      const rows = await db.select({ key: revocations.tokenKey }).from(revocations);
      return rows.map(({ key }) => key.slice(0, 1)).sort();
    };
    expect(await runWith(-65 * MINUTE_MS)).toEqual(['a', 'b']);
    expect(await runWith(65 * MINUTE_MS)).toEqual(['b']);
    expect(await runWith(4_000 * DAY_MS)).toEqual(['b']);
    expect(await db.select().from(auditLog)).toHaveLength(1);
  });
});

describe('the retention of failed logins', () => {
  it('deletes counts of unknown names after a year, and keeps the rest', async () => {
    await using own = await createTestDatabase(inject('dialect'));
    const { database: db } = own;
    const nowMs = Date.now();
    const log = createLogger({ service: 'test', level: 'silent' });
    const services = createServices({ config: testConfig(), db, log, application: 'web', now: () => nowMs });
    const { loginFailures } = db.tables;
    const [old, young] = [nowMs - 366 * DAY_MS, nowMs - 364 * DAY_MS];
    const row = (holder: string, origin: string, failures: number, lastFailureAtMs: number) => ({
      holder,
      origin,
      failures,
      lastFailureAtMs,
      waitUntilMs: 0,
    });
    await db.insertMany(loginFailures, [
      row('unknown:aa', '', 100, old),
      row('unknown:bb', '', 100, young),
      row('member:1', '', 100, old),
      row('member:1', 'some-origin', 3, old),
      row('member:2', '', 0, old),
      row('member:3', '', 0, young),
    ]);
    expect(await loginFailureRetention.run(services)).toBe(3);
    expect(await loginFailureRetention.run(services)).toBe(0);
    const kept = await db.select().from(loginFailures);
    expect(kept.map(({ holder, origin }) => `${holder} ${origin}`.trim()).toSorted()).toEqual([
      'member:1',
      'member:3',
      'unknown:bb',
    ]);
    await services.activity.close();
  });
});
