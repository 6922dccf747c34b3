import { randomBytes } from 'node:crypto';
import { webhookWorker } from '@gatehouse/features/billing/webhook-worker';
import { billingEnvironment, signDelivery, startProviderSimulator } from '@gatehouse/simulator';
import type { TestDialect } from '@gatehouse/testkit';
import { findingsOfAxe } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { type Hand, keyboard, mouse, useHand } from '../../../test/hands.js';
import { openPortal } from '../../../test/open-portal.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');

const SECRET = `whsec_${randomBytes(16).toString('hex')}`;

/** The portal of a service whose payments the simulator plays. */
async function openShop(on: TestDialect, env: Readonly<Record<string, string>> = {}) {
  const simulator = await startProviderSimulator();
  const portal = await openPortal(on, {
    ...billingEnvironment(simulator.url),
    STRIPE_WEBHOOK_SECRET: SECRET,
    ...env,
  });
  const { service } = portal;
  simulator.billing.deliverTo({ stripe: { url: `${service.url}/stripe_webhooks`, secret: SECRET } });
  return {
    ...portal,
    simulator,
    /** Applies the provider's events. */
    async settle() {
      while ((await webhookWorker.run(service.services)) > 0);
    },
    async [Symbol.asyncDispose]() {
      await portal[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

/** Changes the plan at the provider, which leads back. */
async function change({ page, at, settle }: Shop, hand: Hand): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Change plan' }));
  await hand.press(page.getByRole('button', { name: 'Change to price_gatehouse_business' }));
  await page.waitForURL(at('a/1/billing?returned=true'));
  await settle();
  await page.getByRole('heading', { level: 2, name: 'Business plan, €99 / month' }).waitFor();
  await page.getByText(/^Next invoice on /).waitFor();
}

/** Cancels at the provider, which leads back; then undoes that, and manages the rest there. */
async function cancel({ page, at, settle }: Shop, hand: Hand): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Cancel subscription' }));
  await hand.press(page.getByRole('button', { name: 'Cancel at the end of the period' }));
  await page.waitForURL(at('a/1/billing?returned=true'));
  await settle();
  await page.getByRole('heading', { level: 2, name: /^Subscription ends on / }).waitFor();
  expect(await findingsOfAxe(page)).toEqual([]);
  await hand.press(page.getByRole('button', { name: 'Resume subscription' }));
  await hand.press(page.getByRole('button', { name: 'Resume', exact: true }));
  await page.getByRole('button', { name: 'Cancel at the end of the period' }).waitFor();
  await settle();
  await page.goto(at('a/1/billing'));
  await page.getByRole('button', { name: 'Cancel subscription' }).waitFor();
}

describe('billing', () => {
  it('says that no payments are collected, and whether paid features are on', async () => {
    for (const [endsAccess, heading, lead] of [
      ['false', 'Active subscription', 'Payments are paused. All features are available.'],
      ['true', 'Subscription paused', 'Payments are paused, so paid features are off.'],
    ] as const) {
      await using portal = await openPortal(dialect, {
        STRIPE_WEBHOOK_SECRET: SECRET,
        BILLING_PAUSE_ENDS_ACCESS: endsAccess,
      });
      const { page, service } = portal;
      const object = {
        id: 'sub_1',
        customer: 'cus_1',
        status: 'active',
        pause_collection: { behavior: 'void' },
        metadata: { accountId: '1' },
      };
      const created = Math.floor(Date.now() / 1000);
      const event = { id: 'evt_1', type: 'customer.subscription.updated', created, data: { object } };
      const { headers, body } = signDelivery('stripe', {
        body: JSON.stringify(event),
        secret: SECRET,
        nowMs: Date.now(),
      });
      await fetch(`${service.url}/stripe_webhooks`, { method: 'POST', headers, body });
      while ((await webhookWorker.run(service.services)) > 0);
      await signInAs(portal, page, 'owner@acme.test', 'a/1/billing');
      await page.getByRole('heading', { level: 2, name: heading }).waitFor();
      await page.getByText(lead).waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
    }
  });

  it('leads to the payment page and back, and shows a payment or a cancellation without a reload', async () => {
    await using shop = await openShop(dialect);
    const { page, complaints, at, settle } = shop;
    await signInAs(shop, page, 'owner@acme.test', 'a/1/billing');
    await page.getByRole('heading', { level: 2, name: /^Trial until/ }).waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByText('€99 / month').waitFor();
    expect(await page.getByText('Current plan').count()).toBe(0);
    await useHand(page, keyboard, dialect);
    await keyboard.press(page.getByRole('button', { name: 'Choose Business' }));
    await page.getByRole('heading', { name: 'Stripe checkout, simulated' }).waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Pay' }));
    await page.waitForURL(at('a/1/billing?returned=true'));
    await page.getByText('Welcome back.').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await settle();
    await page.getByRole('heading', { level: 2, name: 'Business plan, €99 / month' }).waitFor();
    expect(await page.getByRole('button', { name: /^Choose/ }).count()).toBe(0);
    await page.getByText('Current plan').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);

    await cancel(shop, keyboard);
    expect(complaints.filter((each) => each.includes('localhost:') || each.includes('policy'))).toEqual([]);
  });

  it('marks a plan as the current one until its subscription has ended', async () => {
    await using shop = await openShop(dialect);
    const { page, service, settle, nowMs } = shop;
    const now = Math.floor(nowMs() / 1000);
    const deliver = async (status: string, created: number, endsAt: number) => {
      const object = {
        status,
        id: 'sub_1',
        customer: 'cus_1',
        metadata: { accountId: '1' },
        items: { data: [{ price: { id: 'price_gatehouse_team' }, current_period_end: endsAt }] },
      };
      const id = `evt_${status}`;
      const body = JSON.stringify({ id, type: 'customer.subscription.updated', created, data: { object } });
      const signed = signDelivery('stripe', { body, secret: SECRET, nowMs: Date.now() });
      await fetch(`${service.url}/stripe_webhooks`, { method: 'POST', ...signed });
      await settle();
    };
    await deliver('active', now - 60, now + 86_400);
    await signInAs(shop, page, 'owner@acme.test', 'a/1/billing');
    await page.getByRole('heading', { level: 2, name: 'Team plan, €29 / month' }).waitFor();
    await page.getByText('Current plan').waitFor();
    await deliver('canceled', now - 30, now - 45);
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'No active subscription' }).waitFor();
    await page.getByRole('button', { name: 'Choose Team', exact: true }).waitFor();
    expect(await page.getByText('Current plan').count()).toBe(0);
  });

  it('retries a checkout whose connection broke, and stays usable when the provider cannot be reached', async () => {
    await using shop = await openShop(dialect);
    const { page, settle } = shop;
    await signInAs(shop, page, 'owner@acme.test', 'a/1/billing');
    let sent = 0;
    await page.route('**/trpc/billing.checkout**', async (route) => {
      sent += 1;
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Choose Team', exact: true }).dblclick();
    await page.getByText('No answer arrived.').waitFor();
    await page.unroute('**/trpc/billing.checkout**');
    expect(sent).toBeGreaterThan(0);
    await useHand(page, mouse, dialect);
    await page.getByRole('button', { name: 'Choose Team', exact: true }).click();
    await page.getByRole('heading', { name: 'Stripe checkout, simulated' }).waitFor();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Welcome back.').waitFor();
    await settle();
    await page.getByRole('heading', { level: 2, name: 'Team plan, €29 / month' }).waitFor();
    await change(shop, mouse);
    await cancel(shop, mouse);
  });

  it('says that the payment provider did not respond, and nothing of a sign-in, in both languages', async () => {
    await using shop = await openShop(dialect);
    const { page, simulator } = shop;
    await signInAs(shop, page, 'owner@acme.test', 'a/1/billing');
    for (const [language, choose, sentence] of [
      ['en', 'Choose Team', "The payment provider didn't respond. Nothing was charged. Please try again."],
      [
        'de',
        'Auswählen Team',
        'Der Zahlungsanbieter hat nicht geantwortet. Es wurde nichts abgebucht. Bitte versuche es noch einmal.',
      ],
    ] as const) {
      if (language === 'de') await page.getByRole('button', { name: 'Deutsch' }).click();
      simulator.billing.misbehave('stripe', 'error500');
      await page.getByRole('button', { name: choose, exact: true }).click();
      await page.getByRole('main').getByText(sentence).waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
    }
  });

  it('lists invoices with a mark on what is unpaid, and links to their pages, also on a phone in the dark', async () => {
    await using shop = await openShop(dialect);
    const { page, settle, at } = shop;
    await signInAs(shop, page, 'owner@acme.test', 'a/1/billing');
    const invoices = page.getByRole('region', { name: 'Invoices', exact: true });
    await invoices.getByText('No invoices yet').waitFor();
    await page.getByRole('button', { name: 'Choose Team', exact: true }).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Welcome back.').waitFor();
    await settle();
    const link = invoices.getByRole('link', { name: /^Open / });
    await link.waitFor();
    await invoices.getByText('€29.00').waitFor();
    expect(await invoices.getByText('Unpaid').count()).toBe(0);
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener',
    ]);
    const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()]);
    await opened.getByRole('heading', { name: 'Stripe invoice, simulated' }).waitFor();
    await opened.close();

    await page.getByRole('button', { name: 'Invoices and payment method' }).click();
    for (let month = 0; month < 12; month += 1)
      await page.getByRole('button', { name: 'Renew for a month' }).click();
    await page.getByRole('button', { name: 'Let a payment fail' }).click();
    await page.getByText('past_due').waitFor();
    await settle();
    await page.goto(at('a/1/billing'));
    await invoices.getByText('Unpaid').waitFor();
    await page.getByText(/^Paid features stay available until \w{3} \d{1,2}, \d{4}\. Please check/).waitFor();
    expect(await invoices.getByRole('row').count()).toBe(13);
    await invoices.getByText('To see older invoices, select “Invoices and payment method”.').waitFor();

    await page.setViewportSize({ width: 320, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const [language, unpaid] of [
      ['English', 'Unpaid'],
      ['Deutsch', 'Offen'],
    ] as const) {
      if (language === 'Deutsch') {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.getByRole('button', { name: language }).click();
        await page.setViewportSize({ width: 320, height: 800 });
      }
      await page.getByRole('cell', { name: unpaid }).waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    }
  });

  it('says that invoices could not be loaded, keeps the rest usable, and loads them on request', async () => {
    await using shop = await openShop(dialect);
    const { page, settle, simulator, at } = shop;
    await signInAs(shop, page, 'owner@acme.test', 'a/1/billing');
    await page.getByRole('button', { name: 'Choose Team', exact: true }).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByText('Welcome back.').waitFor();
    await settle();
    simulator.billing.misbehave('stripe', 'error500');
    await page.goto(at('a/1/billing'));
    const invoices = page.getByRole('region', { name: 'Invoices', exact: true });
    await invoices.getByText("Invoices couldn't be loaded from the payment provider.").waitFor();
    await page.getByRole('heading', { level: 2, name: 'Team plan, €29 / month' }).waitFor();
    expect(await page.getByText('Nothing was charged').count()).toBe(0);
    expect(await findingsOfAxe(page)).toEqual([]);
    simulator.billing.misbehave('stripe', null);
    await invoices.getByRole('button', { name: 'Try again' }).click();
    await invoices.getByText('€29.00').waitFor();
    await page.getByRole('button', { name: 'Cancel subscription' }).waitFor();
  });

  it('leads back to the product that sent the payer, and to no other address', async () => {
    await using shop = await openShop(dialect, { PORTAL_RETURN_ORIGINS: 'https://app.acme.test' });
    const { page, at } = shop;
    await signInAs(shop, page, 'owner@acme.test', 'a/1/billing');
    const back = page.getByRole('link', { name: 'Back to Gatehouse' });
    await page.goto(at('a/1/billing?next=https%3A%2F%2Fevil.test%2F'));
    await page.getByRole('heading', { level: 2, name: /^Trial until/ }).waitFor();
    expect(await back.count()).toBe(0);
    await page.goto(at('a/1/billing?next=https%3A%2F%2Fapp.acme.test%2Fstart'));
    await back.waitFor();
    await page.getByRole('button', { name: 'Choose Team', exact: true }).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(at('a/1/billing?returned=true'));
    expect(await back.getAttribute('href')).toBe('https://app.acme.test/start');
    expect(await findingsOfAxe(page)).toEqual([]);
  });

  it('tells members who may not pay whether the account is paid, and who can pay', async () => {
    await using shop = await openShop(dialect);
    const { page, complaints } = shop;
    await signInAs(shop, page, 'member@acme.test', 'a/1');
    await page.getByRole('heading', { level: 2, name: /^Trial until/ }).waitFor();
    await page.getByText('The owner manages billing.').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
