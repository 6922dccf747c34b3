import { AppError } from '@gatehouse/auth-core';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { BILLING_PROVIDERS } from '../core/billing/billing-event.js';
import type { Services } from '../core/context.js';
import { reauthorize } from '../core/guard/guarded.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { listOwnCustomers, type OwnCustomer, recordGoneCustomer } from './account-customers.js';
import { askProvider, isUnanswered, providerDeadline } from './ask-provider.js';
import { billingPage } from './return-page.js';

const MAX_PER_HOUR = 60;

const HOUR_MS = 3_600_000;

/** The pages that a provider may have apart from its overview. */
const portalPage = z.enum(['overview', 'change', 'cancel']);

/** Opens the provider's page where an account sees invoices, and changes or cancels its plan. */
export const billingPortal = accountProcedure('billing.manage', { inPerson: true })
  .meta({
    about: {
      summary: 'Open the page on which an account looks after its payments',
      refuses: ['provider_not_configured', 'no_customer', 'provider_failed', 'rate_limited'],
    },
  })
  .input(z.object({ page: portalPage.optional() }).optional())
  .output(z.object({ message: z.string(), data: z.object({ url: z.url() }) }))
  .mutation(async ({ ctx, input }) => {
    const { services, account } = ctx;
    await enforceLimit(services, {
      key: `billing-portal:account:${account.id}`,
      name: 'billing-portal',
      most: MAX_PER_HOUR,
      windowMs: HOUR_MS,
    });
    const { provider, customerId, subscriptionId } = await requireCustomer(services, account.id);
    const kind = input?.page ?? 'overview';
    const change = kind === 'overview' || subscriptionId === null ? undefined : { kind, subscriptionId };
    const loadApi = services.billing.apis[provider];
    if (!loadApi) throw new AppError('provider_not_configured');
    await changeAndRecord(ctx, {}, () =>
      Promise.resolve({
        result: undefined,
        record: {
          action: 'portal.opened',
          accountId: account.id,
          subjectKind: 'account',
          subjectId: account.id,
          before: null,
          after: { provider },
        },
      }),
    );
    const deadline = providerDeadline();
    const api = await loadApi();
    const returnUrl = billingPage(services.config);
    const opening = askProvider(provider, deadline, () => api.openPortal({ customerId, returnUrl, change }));
    const url = await opening.catch(async (failure: unknown) => {
      const isKept =
        isUnanswered(failure) || (await askProvider(provider, deadline, () => api.hasCustomer(customerId)));
      if (isKept) throw failure;
      await recordGoneCustomer(services.db, { provider, customerId }, services.now());
      throw new AppError('no_customer');
    });
    // The provider may have been slow.
    await reauthorize(ctx);
    return { message: 'The page is open', data: { url } };
  });

/**
 * The customer that pays for the account, or else its first one; with the subscription that it pays.
 * @throws {AppError} `no_customer`, `provider_not_configured`
 */
async function requireCustomer(
  services: Services,
  accountId: number,
): Promise<OwnCustomer & { readonly subscriptionId: string | null }> {
  const apis = services.billing.apis;
  if (BILLING_PROVIDERS.every((provider) => apis[provider] === undefined))
    throw new AppError('provider_not_configured');
  const [own, subscription] = await Promise.all([
    listOwnCustomers(services.db, accountId),
    findSubscription(services.db, accountId),
  ]);
  const paying = own.find(
    ({ provider, customerId }) =>
      provider === subscription?.provider && customerId === subscription.providerCustomerId,
  );
  const customer = paying ?? own.find(({ provider }) => apis[provider] !== undefined) ?? own[0];
  if (!customer) throw new AppError('no_customer');
  return {
    ...customer,
    subscriptionId: customer === paying ? (subscription?.providerSubscriptionId ?? null) : null,
  };
}
