import { createLogger } from '@gatehouse/runtime/log/log';
import { createTestDatabase, testConfig } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createServices } from '../../deployment/create-services.js';
import { loginFailureRetention } from './login-failure-retention.js';

const DAY_MS = 86_400_000;

describe('the retention of failed logins', () => {
  it('forgets what is a year old and locks no member, and keeps the rest', async () => {
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
