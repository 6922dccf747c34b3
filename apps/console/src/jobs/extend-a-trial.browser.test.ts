import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertTestMember } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { z } from 'zod';
import { countClicks } from '../test/count-clicks.js';
import { linesOf } from '../test/lines-of.js';
import { openConsole, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');
const DAY_MS = 86_400_000;

const me = z.object({ currentAccount: z.object({ subscription: z.object({ trialEndsAt: z.string() }) }) });

it('staff extend the trial of an account with three clicks, and apply a failed event again', async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints, at } = console;
  const { database } = service;
  const { webhookLog, subscriptions } = database.tables;
  const member = await insertTestMember(database, { isConfirmed: true, memberships: { 1: 5 } });
  const trialEndMs = async () => {
    const answer = await service.send('/auth/me', { token: member.token, accountId: 1 });
    return Date.parse(me.parse(await answer.json()).currentAccount.subscription.trialEndsAt);
  };
  await database.insert(webhookLog, {
    provider: 'stripe',
    endpoint: 'stripe',
    eventId: 'evt_1',
    dedupeKey: 'evt_1',
    type: 'invoice.paid',
    body: '{}',
    bodyBytes: 2,
    digest: 'd'.repeat(64),
    status: 'failed',
    reason: 'not of the documented shape: <b>data</b>',
    accountId: 1,
    address: '127.0.0.1',
    receivedAtMs: Date.now(),
  });
  const statusOf = async () => (await database.select().from(webhookLog)).map(({ status }) => status);

  await signInAs(console, 'root@gatehouse.test', 'accounts/1');
  const before = await trialEndMs();
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: 'Extend trial' }).click();
  const until = page.getByLabel('Until');
  // An earlier end than the current one is not offered.
  expect(await until.locator('option').count()).toBe(3);
  await until.selectOption({ index: 0 });
  await page.getByLabel('Reason').fill('They wait for their <b>card</b>');
  await page.getByRole('dialog').getByRole('button', { name: 'Extend trial' }).click();
  await page.getByText(/^The trial of Acme Studio was extended until/).waitFor();
  expect(clicks()).toBe(2);
  const after = await trialEndMs();
  expect([after > before, Math.abs(after - Date.now() - 30 * DAY_MS) < 60_000]).toEqual([true, true]);
  const line = { accountId: 1, after: { reason: 'They wait for their <b>card</b>' } };
  expect(await linesOf(service, 'subscription.trial-extended')).toMatchObject([line]);

  clicks();
  await page.getByRole('link', { name: 'Subscription and payment events' }).click();
  await page.getByText('One payment event was not processed.').waitFor();
  await page.getByText('not of the documented shape: <b>data</b>').waitFor();
  await page.getByRole('button', { name: 'Retry invoice.paid' }).click();
  await page.getByRole('listitem').filter({ hasText: 'invoice.paid' }).getByText('Waiting').waitFor();
  expect([clicks(), await statusOf()]).toEqual([2, ['received']]);

  // A paid account has no trial.
  await changeAccess(database, { accounts: [2] }, (tx) =>
    tx.write(tx.update(subscriptions).set({ provider: 'stripe', state: 'active', trialEndsAtMs: null })),
  );
  await page.goto(at('accounts/2/billing'));
  await page.getByRole('heading', { level: 1, name: 'Birch & Co is active.' }).waitFor();
  expect(await page.getByRole('button', { name: 'Extend trial' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});
