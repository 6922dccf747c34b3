import { createApp } from '@gatehouse/api-main/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { createService } from '@gatehouse/http/create-service';
import { type RunningService, signIn, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { t } from '../context.js';
import { accountProcedure } from './procedure.js';

const dialect = inject('dialect');

const report = accountProcedure('member.list', { entitled: true })
  .meta({ about: { summary: 'What a product sells' } })
  .output(z.object({ message: z.string() }))
  .query(() => ({ message: 'the report' }));

/** The service of a product next to the main one, over one database. */
function startProduct(service: RunningService): Promise<RunningService> {
  const deployment = {
    name: 'product',
    version: '0',
    router: t.router({ product: t.router({ report }) }),
    routes: [],
  };
  return startService((services) => createService(deployment, services), {
    dialect,
    application: 'web',
    database: service.database,
  });
}

/** Ends every trial, as if its time were over. */
async function endTrials({ database }: RunningService): Promise<void> {
  const { subscriptions } = database.tables;
  await changeAccess(database, { accounts: [1, 2, 3] }, (tx) =>
    tx.write(tx.update(subscriptions).set({ trialEndsAtMs: 1 })),
  );
}

async function outcome(product: RunningService, token: string, accountId: number) {
  const response = await product.send('/v1/product/report', { token, accountId });
  const body = (await response.json()) as { error?: { code: string } };
  return [response.status, body.error?.code];
}

describe('a procedure that requires a subscription', () => {
  it('admits members with the permission while the subscription is active, and then answers 402', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    await using product = await startProduct(service);
    const owner = await signIn(service, 'owner@acme.test');
    expect(await outcome(product, owner.token, 1)).toEqual([200, undefined]);
    await endTrials(service);
    expect(await outcome(product, owner.token, 1)).toEqual([402, 'subscription_required']);
    // Features that are not sold stay available.
    const list = await service.send('/getAllMemberslist', { token: owner.token, accountId: 1 });
    expect(list.status).toBe(200);
  });

  it('does not reveal whether an account is paid to a caller without the permission', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    await using product = await startProduct(service);
    await endTrials(service);
    const member = await signIn(service, 'member@acme.test');
    expect(await outcome(product, member.token, 1)).toEqual([403, 'permission_denied']);
    const stranger = await signIn(service, 'owner@birch.test');
    expect(await outcome(product, stranger.token, 1)).toEqual([403, 'account_forbidden']);
  });
});
