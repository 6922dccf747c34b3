import { randomBytes } from 'node:crypto';
import type { Database } from '@gatehouse/db/database';
import { listAccountSubscriptions } from '@gatehouse/db/queries/billing-subscriptions';
import { countWebhookBacklog } from '@gatehouse/db/queries/process-webhooks';
import { listWebhooks, type WebhookRow } from '@gatehouse/db/queries/read-webhooks';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { type LifeStep, paddleLife, shuffled, stripeLife } from '@gatehouse/simulator';
import {
  createTestDatabase,
  printMeasurements,
  rounds,
  seedTestDatabase,
  spawnService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { BILLING_ENVIRONMENT, deliver, drain, insertAccount, startBilling } from '../test/billing.js';

const dialect = inject('dialect');
const START_MS = Date.UTC(2026, 4, 1);
const LIVES = [
  { path: '/stripe_webhooks', life: stripeLife },
  { path: '/paddle_production_webhooks', life: paddleLife },
] as const;

async function everyDelivery(database: Database): Promise<WebhookRow[]> {
  const rows: WebhookRow[] = [];
  for (;;) {
    const page = await listWebhooks(database, { limit: 500, beforeId: rows.at(-1)?.id });
    rows.push(...page);
    if (page.length < 500) return rows;
  }
}

describe('one billing event', () => {
  it('has one effect when two processes get it fifty times concurrently', { timeout: 120_000 }, async () => {
    await using place = await createTestDatabase(dialect);
    await seedTestDatabase(place.database);
    const { database, url: databaseUrl } = place;
    const node = () => spawnService('api-main', { databaseUrl, env: BILLING_ENVIRONMENT });
    await using one = await node();
    await using two = await node();
    const steps = stripeLife({ accountId: 1, startMs: START_MS, key: 'fifty' });
    const reported = steps.slice(0, rounds({ suite: 3, stress: 20 }));
    for (const { event } of reported) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, number) =>
          deliver(number % 2 === 0 ? one : two, { path: '/stripe_webhooks', event }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    }
    await expect.poll(async () => (await countWebhookBacklog(database)).waiting, { timeout: 30_000 }).toBe(0);
    const log = await everyDelivery(database);
    expect(log).toHaveLength(reported.length * 50);
    for (const { id } of reported) {
      const ofEvent = log.filter(({ eventId }) => eventId === id);
      expect(ofEvent.filter(({ status }) => status === 'processed')).toHaveLength(1);
      expect(ofEvent.filter(({ reason }) => reason === 'duplicate')).toHaveLength(49);
    }
    expect((await findSubscription(database, 1))?.state).toBe(reported.at(-1)?.standing);
    printMeasurements('each event fifty times in parallel, on two processes', {
      events: reported.length,
      deliveries: log.length,
      effects: log.filter(({ status }) => status === 'processed').length,
    });
  });
});

describe("the events of a subscription's life", () => {
  it('lead to the same state in any order', { timeout: 1_200_000 }, async () => {
    await using service = await startBilling({ dialect });
    const { database, services } = service;
    const reported = async (
      order: (steps: readonly LifeStep[]) => readonly LifeStep[],
      { path, life }: (typeof LIVES)[number],
    ) => {
      const accountId = await insertAccount(database, services.now());
      const key = randomBytes(6).toString('hex');
      const steps = order(life({ accountId, startMs: START_MS, key }));
      for (const [position, { event }] of steps.entries()) {
        await deliver(service, { path, event });
        if (position % 3 === accountId % 3) await drain(service);
      }
      await drain(service);
      const account = await findSubscription(database, accountId);
      const facts = (await listAccountSubscriptions(database, accountId)).map((row) => row.facts);
      const own = { accountId: 0, trialEndsAtMs: 0, lastEventId: '', updatedAtMs: 0 };
      return JSON.stringify({ account: { ...account, ...own }, facts })
        .replaceAll(key, 'KEY')
        .replaceAll(`"value":${accountId},`, '"value":0,');
    };
    const ways = rounds({ suite: 3, stress: 200 });
    for (const each of LIVES) {
      const inOrder = await reported((steps) => steps, each);
      expect(inOrder).toContain('"state":"canceled"');
      for (let way = 0; way < ways; way += 1) expect(await reported(shuffled, each)).toBe(inOrder);
      expect(await reported((steps) => shuffled([...steps, ...steps]), each)).toBe(inOrder);
    }
    printMeasurements('shuffled lives of 20 events lead to one state', { ways, providers: LIVES.length });
  });
});

describe('an acknowledged billing event', () => {
  it('survives kill -9 right after the answer, and is applied exactly once', {
    timeout: 1_200_000,
  }, async () => {
    await using place = await createTestDatabase(dialect);
    const { database, url: databaseUrl } = place;
    await seedTestDatabase(database);
    const kills = rounds({ suite: 2, stress: 100 });
    const accountIds: number[] = [];
    for (let sent = 0; sent < kills; sent += 1) {
      if (sent % 20 === 0) accountIds.push(await insertAccount(database, Date.now()));
      const accountId = accountIds.at(-1) ?? 0;
      const step = stripeLife({ accountId, startMs: START_MS, key: `kill${accountId}` })[sent % 20];
      await using service = await spawnService('api-main', { databaseUrl, env: BILLING_ENVIRONMENT });
      const answer = await deliver(service, { path: '/stripe_webhooks', event: step?.event ?? {} });
      await service.kill9();
      expect(answer.status).toBe(200);
    }
    await using survivor = await spawnService('api-main', { databaseUrl, env: BILLING_ENVIRONMENT });
    expect(survivor.pid).toBeGreaterThan(0);
    await expect
      .poll(async () => (await countWebhookBacklog(database)).waiting, { timeout: 60_000, interval: 200 })
      .toBe(0);
    const log = await everyDelivery(database);
    expect(log.map(({ status }) => status)).toEqual(Array.from({ length: kills }, () => 'processed'));
    expect(new Set(log.map(({ eventId }) => eventId)).size).toBe(kills);
    for (const [index, accountId] of accountIds.entries()) {
      const last = Math.min(kills - index * 20, 20) - 1;
      const { standing } = stripeLife({ accountId, startMs: START_MS, key: 'x' })[last] ?? {};
      expect((await findSubscription(database, accountId))?.state).toBe(standing);
    }
    printMeasurements('acknowledged events survive kill -9', {
      kills,
      claimedOnce: log.filter(({ attempts }) => attempts === 1).length,
      claimedAgain: log.filter(({ attempts }) => attempts > 1).length,
    });
  });
});
