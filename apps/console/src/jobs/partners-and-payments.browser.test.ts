import { changeAccess } from '@gatehouse/db/queries/change-access';
import { replayWebhook } from '@gatehouse/db/queries/process-webhooks';
import { applyBillingClaims } from '@gatehouse/features/billing/apply-billing-claims';
import { readStripeEvent } from '@gatehouse/features/billing/read-stripe-event';
import { billingEnvironment, type ProviderSimulator, startProviderSimulator } from '@gatehouse/simulator';
import { insertTestMember } from '@gatehouse/testkit';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { countClicks } from '../test/count-clicks.js';
import { type OpenConsole, openConsole, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

interface AtService {
  readonly name: string;
  readonly active: boolean;
  readonly secrets: readonly unknown[];
}

/** The partner of a name, as the service lists it. */
async function partnersOf({ service }: OpenConsole) {
  const root = await insertTestMember(service.database, { roleType: 0, isPersonnel: true });
  return async (name: string) => {
    const response = await service.send('/v1/partner/list', { token: root.token, body: {} });
    return ((await response.json()) as { data: AtService[] }).data.find((each) => each.name === name);
  };
}

async function insertFailedWebhook(
  { service: { database } }: OpenConsole,
  eventId = 'evt_lost',
): Promise<number> {
  return database.insert(database.tables.webhookLog, {
    provider: 'stripe',
    endpoint: 'stripe',
    eventId,
    dedupeKey: eventId,
    accountId: 1,
    type: 'invoice.paid',
    body: '{"object":"event"}',
    bodyBytes: 18,
    digest: 'd'.repeat(64),
    status: 'failed',
    reason: 'The account was locked',
    attempts: 8,
    address: '127.0.0.1',
    receivedAtMs: Date.now(),
  });
}

/** Account 1 pays by Stripe, where the subscription has a different state than the events reported. */
async function payElsewhere({ service }: OpenConsole, simulator: ProviderSimulator): Promise<void> {
  const subscription = (status: string) => ({
    id: 'sub_1',
    object: 'subscription',
    customer: 'cus_1',
    status,
    items: { data: [{ price: { id: 'price_gatehouse_team' } }, { price: { id: 'price_seats' } }] },
    metadata: { accountId: '1' },
  });
  const event = { id: 'evt_1', type: 'customer.subscription.updated', created: 1_790_000_000 };
  const claims = readStripeEvent({ ...event, data: { object: subscription('active') } });
  if (claims === undefined) throw new Error('an event about nothing');
  const origin = { provider: 'stripe', eventId: 'evt_1', occurredAtUs: 1_790_000_000_000_000 } as const;
  await changeAccess(service.database, { accounts: [1] }, (tx) =>
    applyBillingClaims(tx, claims, origin, { plans: [], nowMs: Date.now() }),
  );
  simulator.billing.show('stripe', subscription('past_due'));
}

describe('staff who look after partners and payments', () => {
  it("compare an account's subscription with its provider's, and see the result", async () => {
    await using simulator = await startProviderSimulator();
    await using console = await openConsole(dialect, billingEnvironment(simulator.url));
    await payElsewhere(console, simulator);
    const { page } = console;
    await signInAs(console, 'root@gatehouse.test', 'accounts/1/billing');
    await page.getByText('price_seats').waitFor();
    await page.getByText('Team', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sync with Stripe' }).click();
    await page.getByText('The subscription was updated from Stripe.').waitFor();
    await page.getByText('past due').waitFor();
    await page.getByRole('button', { name: 'Sync with Stripe' }).click();
    await page.getByText('Already up to date with Stripe.').waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    simulator.billing.misbehave('stripe', 'gateway404');
    await page.getByRole('button', { name: 'Sync with Stripe' }).click();
    await page.getByRole('alert').waitFor();
  });

  it('add a partner, see its secret once, rotate it, and deactivate the partner', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints } = console;
    const atService = await partnersOf(console);
    await signInAs(console, 'root@gatehouse.test', 'mail');
    const clicks = await countClicks(page);
    await page.getByRole('link', { name: 'Partners' }).click();
    await page.getByRole('link', { name: 'Add partner' }).click();
    await page.getByLabel('Name').fill('Harbour Apps');
    await page.getByLabel('App URL').fill('ftp://harbour.test');
    await page.getByRole('button', { name: 'Add partner' }).click();
    await page.locator('[aria-invalid]').waitFor();
    expect(clicks()).toBe(3);
    await page.getByLabel('App URL').fill('https://harbour.test/app');
    await page.getByRole('button', { name: 'Add partner' }).click();
    await page.getByRole('heading', { level: 1, name: 'Harbour Apps was added.' }).waitFor();
    const first = await page.locator('code').textContent();
    await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    expect(await atService('Harbour Apps')).toMatchObject({ active: true, secrets: [{}] });

    await page.getByRole('link', { name: 'Open partner' }).click();
    await page.getByRole('heading', { level: 1, name: 'Harbour Apps is active.' }).waitFor();
    expect(await page.locator('code').count()).toBe(0);
    const confirmed = async (name: string) => {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').getByRole('button', { name }).click();
    };
    clicks();
    await confirmed('New secret');
    await page.getByText("Copy this secret now. You won't see it again.").waitFor();
    expect(clicks()).toBe(2);
    expect(await page.locator('code').textContent()).not.toBe(first);
    expect((await atService('Harbour Apps'))?.secrets).toHaveLength(2);
    await confirmed('Revoke older secrets');
    await page.getByText('Older secrets revoked. Only the newest is valid.').waitFor();
    expect((await atService('Harbour Apps'))?.secrets).toHaveLength(1);
    await confirmed('Block');
    await page.getByRole('heading', { level: 1, name: 'Harbour Apps is blocked.' }).waitFor();
    expect((await atService('Harbour Apps'))?.active).toBe(false);
    await page.getByRole('button', { name: 'Unblock' }).click();
    await page.getByRole('heading', { level: 1, name: 'Harbour Apps is active.' }).waitFor();
    expect((await atService('Harbour Apps'))?.active).toBe(true);

    clicks();
    const webhookId = await insertFailedWebhook(console);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('failed pay');
    await page.getByRole('option', { name: 'Failed payment events' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('after 8 attempts').waitFor();
    await page.getByText('The account was locked').waitFor();
    await page.getByRole('link', { name: 'invoice.paid' }).click();
    await page.getByText('"object": "event"').waitFor();
    await page.getByRole('link', { name: 'Acme Studio #1' }).waitFor();
    await page.getByRole('button', { name: 'Retry', exact: true }).waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('button', { name: /^Retry/ }).click();
    await page.getByText('The event will be processed again in a moment.').waitFor();
    expect(clicks()).toBe(2);
    await page.getByText('No matching events.', { exact: true }).waitFor();
    const { database } = console.service;
    const rows = await database.select().from(database.tables.webhookLog);
    expect(rows).toMatchObject([{ id: webhookId, status: 'received', attempts: 0 }]);

    for (const eventId of ['evt_second', 'evt_third']) await insertFailedWebhook(console, eventId);
    await page.reload();
    await page.getByRole('button', { name: 'Retry all failed' }).click();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Retry all', exact: true }).click();
    await page.getByText('2 events will be processed again in a moment.').waitFor();
    const all = await database.select().from(database.tables.webhookLog);
    expect(all.map(({ status }) => status)).toEqual(['received', 'received', 'received']);

    // Another person retries one of them meanwhile.
    const taken = await insertFailedWebhook(console, 'evt_fourth');
    await insertFailedWebhook(console, 'evt_fifth');
    await page.reload();
    await page.route('**/trpc/webhook.replay**', async (route) => {
      await replayWebhook(database, { id: taken, nowMs: Date.now() });
      await route.continue();
    });
    await page.getByRole('button', { name: 'Retry all failed' }).click();
    await page.getByRole('button', { name: 'Retry all', exact: true }).click();
    await page.getByText('One event will be processed again in a moment. One event was left out').waitFor();
    expect(complaints).toEqual([]);
  });
});
