import { replayWebhook } from '@gatehouse/db/queries/process-webhooks';
import { listWebhooks } from '@gatehouse/db/queries/read-webhooks';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { MONTH_MS, paddleLife, stripeLife } from '@gatehouse/simulator';
import type { RunningService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { type Delivered, deliver, drain, startBilling } from '../test/billing.js';

const dialect = inject('dialect');
const START_MS = Date.now() - 5 * MONTH_MS;
const PRODUCTION = { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:25' };

const purchase = (life: typeof stripeLife) =>
  life({ accountId: 1, startMs: START_MS, key: 'sand' })
    .slice(0, 6)
    .map(({ event }) => event);

const SANDBOXES = {
  'Paddle’s': { path: '/paddle_sandbox_webhooks', events: purchase(paddleLife) },
  'Stripe’s': { path: '/stripe_webhooks', events: purchase(stripeLife) },
} as const;

async function deliverAll(
  service: RunningService,
  path: Delivered['path'],
  events: readonly object[],
): Promise<void> {
  for (const event of events) expect((await deliver(service, { path, event })).status).toBe(200);
  await drain(service);
}

const standing = async ({ database }: RunningService) => (await findSubscription(database, 1))?.state;

async function countLearnt({ database }: RunningService): Promise<number> {
  const { billingCustomers, billingSubscriptions } = database.tables;
  const customers = await database.select().from(billingCustomers);
  const subscriptions = await database.select().from(billingSubscriptions);
  return customers.length + subscriptions.length;
}

describe.each(Object.entries(SANDBOXES))('an event signed for the sandbox of %s', (_, { path, events }) => {
  it('is stored and shown in production and changes nothing, not even when replayed', async () => {
    await using service = await startBilling({ dialect, env: PRODUCTION });
    await deliverAll(service, path, events);
    const rows = await listWebhooks(service.database, { limit: 50 });
    expect(rows.map(({ status, reason }) => [status, reason])).toEqual(
      events.map(() => ['ignored', 'sandbox: no real payment is behind it']),
    );
    for (const { id } of rows) await replayWebhook(service.database, { id, nowMs: Date.now() });
    expect(await drain(service)).toBe(events.length);
    expect([await standing(service), await countLearnt(service)]).toEqual(['trialing', 0]);
  });

  it('takes effect outside production', async () => {
    await using service = await startBilling({ dialect });
    await deliverAll(service, path, events);
    expect(await standing(service)).toBe('active');
  });

  it('does not take the place of a real event of the same id', async () => {
    await using service = await startBilling({ dialect, env: PRODUCTION });
    await deliverAll(service, path, events);
    const isStripe = path === '/stripe_webhooks';
    await deliverAll(
      service,
      isStripe ? path : '/paddle_production_webhooks',
      isStripe ? events.map((event) => ({ ...event, livemode: true })) : events,
    );
    expect(await standing(service)).toBe('active');
  });
});
