import { AppError } from '@gatehouse/auth-core';
import { listAccountSubscriptions } from '@gatehouse/db/queries/billing-subscriptions';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import {
  BILLING_PROVIDERS,
  type BillingClaims,
  type BillingProvider,
} from '../../core/billing/billing-event.js';
import type { Services } from '../../core/context.js';
import { procedure } from '../../core/guard/procedure.js';
import { applyBillingClaims } from '../apply-billing-claims.js';
import { compareWithProvider, originOf, type SubscriptionInQuestion } from '../compare-with-provider.js';

/** Asks the providers about what an account pays for, and corrects what their events left out. */
export const reconcileAccount = procedure({ who: 'root' })
  .meta({
    about: {
      summary: 'Correct the subscription of an account by what its provider says',
      refuses: ['not_found', 'provider_not_configured', 'provider_failed'],
    },
  })
  .input(z.object({ accountId: z.int().positive() }))
  .output(z.object({ message: z.string(), data: z.object({ asked: z.int(), corrected: z.int() }) }))
  .mutation(async ({ ctx, input: { accountId } }) => {
    const { services } = ctx;
    if (!(await findAccount(services.db, accountId))) throw new AppError('not_found');
    const asked = await listAskable(services, accountId);
    if (asked.length === 0) throw new AppError('provider_not_configured');
    const different: { provider: BillingProvider; answer: BillingClaims }[] = [];
    for (const subscription of asked) {
      const { isDifferent, answer } = await compareWithProvider(services, subscription);
      if (isDifferent) different.push({ provider: subscription.provider, answer });
    }
    const accounts = [accountId];
    await changeAndRecord(ctx, { announce: { accounts } }, async ({ tx, nowMs }) => {
      const given = { plans: services.config.BILLING_PLANS, nowMs };
      for (const { provider, answer } of different) {
        const { accountIds } = await applyBillingClaims(tx, answer, originOf(provider, nowMs), given);
        accounts.push(...accountIds.filter((id) => !accounts.includes(id)));
      }
      return {
        result: undefined,
        record:
          different.length === 0
            ? undefined
            : {
                action: 'subscription.reconciled',
                accountId,
                subjectKind: 'account',
                subjectId: accountId,
                before: null,
                after: { corrected: different.length },
              },
      };
    });
    const corrected = different.length;
    return {
      message: corrected === 0 ? 'The provider says the same' : 'The subscription is as the provider says',
      data: { asked: asked.length, corrected },
    };
  });

/** The subscriptions of an account whose provider can be asked, those from an import included. */
async function listAskable(
  { db, billing }: Services,
  accountId: number,
): Promise<readonly SubscriptionInQuestion[]> {
  const [reported, row] = await Promise.all([
    listAccountSubscriptions(db, accountId),
    findSubscription(db, accountId),
  ]);
  const { provider = null, providerSubscriptionId = null, providerCustomerId = null } = row ?? {};
  const isReported = reported.some(({ subscriptionId }) => subscriptionId === providerSubscriptionId);
  const imported =
    isReported || provider === null || providerSubscriptionId === null || providerCustomerId === null
      ? []
      : [{ provider, subscriptionId: providerSubscriptionId, customerId: providerCustomerId }];
  return [...reported, ...imported].flatMap(({ provider: name, subscriptionId, customerId }) => {
    const known = BILLING_PROVIDERS.find((each) => each === name);
    return known !== undefined && billing.apis[known]
      ? [{ provider: known, subscriptionId, customerId }]
      : [];
  });
}
