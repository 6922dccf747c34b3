import { countWebhookBacklog } from '@gatehouse/db/queries/process-webhooks';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { stripeLife } from '@gatehouse/simulator';
import {
  createTestDatabase,
  printMeasurements,
  rounds,
  seedTestDatabase,
  spawnService,
} from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { BILLING_ENVIRONMENT, deliver, insertAccount } from '../test/billing.js';

const START_MS = Date.UTC(2026, 4, 1);

describe('a flood of deliveries', () => {
  it('is answered quickly while the worker catches up', { timeout: 300_000 }, async () => {
    await using place = await createTestDatabase('libsql');
    const { database, url: databaseUrl } = place;
    await seedTestDatabase(database);
    const count = rounds({ suite: 200, stress: 2_000 });
    const accountIds = await Promise.all(
      Array.from({ length: count / 20 }, () => insertAccount(database, Date.now())),
    );
    const events = accountIds.flatMap((accountId) =>
      stripeLife({ accountId, startMs: START_MS, key: `load${accountId}` }).map(({ event }) => event),
    );
    await using service = await spawnService('api-main', { databaseUrl, env: BILLING_ENVIRONMENT });
    const begunMs = performance.now();
    const tookMs: number[] = [];
    const waiting = events.values();
    const sender = async () => {
      for (const event of waiting) {
        const startMs = performance.now();
        const answer = await deliver(service, { path: '/stripe_webhooks', event });
        await answer.arrayBuffer();
        tookMs.push(performance.now() - startMs);
        expect(answer.status).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: 50 }, sender));
    const answeredMs = performance.now() - begunMs;
    const backlog = (await countWebhookBacklog(database)).waiting;
    await expect
      .poll(async () => (await countWebhookBacklog(database)).waiting, { timeout: 120_000, interval: 50 })
      .toBe(0);
    const caughtUpMs = performance.now() - begunMs;
    const [p50, p99] = [0.5, 0.99].map((share) => percentile(tookMs, share));
    printMeasurements('deliveries as fast as they come, fifty at a time', {
      deliveries: tookMs.length,
      answeredMs: Math.round(answeredMs),
      p50Ms: Math.round(p50 ?? 0),
      p99Ms: Math.round(p99 ?? 0),
      backlogAfterTheLast: backlog,
      caughtUpMs: Math.round(caughtUpMs),
    });
    // The small size runs next to other tests and only shows that nothing is lost. The full size also checks the
    // time.
    expect(p99).toBeLessThan(count < 2_000 ? 10_000 : 250);
    for (const accountId of accountIds)
      expect((await findSubscription(database, accountId))?.state).toBe('canceled');
  });
});

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
