import { AppError, sha256Hex } from '@gatehouse/auth-core';
import type { OpenCheckout } from '@gatehouse/db/queries/billing-checkout';
import { BILLING_PROVIDERS } from '../core/billing/billing-event.js';
import type { Services } from '../core/context.js';
import { listOwnCustomers, recordGoneCustomer, recordOwnCustomer } from './account-customers.js';
import { askProvider, isUnanswered, providerDeadline } from './ask-provider.js';
import { requireOver } from './cancel-at-provider.js';
import type { OfferedPlan } from './plans.js';
import { billingPage } from './return-page.js';

export interface CheckoutAttempt {
  readonly accountId: number;
  readonly offer: OfferedPlan;
  readonly attemptKey: string;
  readonly previous: OpenCheckout | undefined;
  /** The confirmed address of the payer. */
  readonly email: string | undefined;
}

/**
 * Opens a checkout, after ending one for another plan.
 * @throws {AppError} `provider_failed`; `subscribed` if the previous checkout was paid
 */
export async function openAtProvider(services: Services, attempt: CheckoutAttempt): Promise<OpenCheckout> {
  const { accountId, offer, attemptKey, previous, email } = attempt;
  const { plan, loadApi } = offer;
  const { provider, priceId } = plan;
  const deadline = providerDeadline();
  const api = await loadApi();
  const ask = <Answer>(question: () => Promise<Answer>) => askProvider(provider, deadline, question);

  if (previous && previous.provider !== provider) {
    const before = BILLING_PROVIDERS.find((each) => each === previous.provider);
    const loadBefore = before && services.billing.apis[before];
    const apiBefore = await loadBefore?.();
    if (before && apiBefore) {
      const end = await askProvider(before, deadline, () => apiBefore.endCheckout(previous.checkoutId));
      if (end !== 'ended') await requireOver(services, before, end);
    }
  }
  const createCustomer = async (insteadOf: string) => {
    const idempotencyKey = `${attemptKey}-customer${insteadOf}`;
    const customerId = await ask(() => api.createCustomer({ accountId, email, idempotencyKey }));
    if (customerId !== undefined)
      await recordOwnCustomer(services.db, { provider, customerId }, { accountId, nowMs: services.now() });
    return customerId;
  };
  const open = (customerId: string | undefined, last: OpenCheckout | undefined) =>
    ask(() =>
      api.openCheckout({
        accountId,
        customerId,
        priceId,
        idempotencyKey: `${attemptKey}-${sha256Hex(`${priceId} ${customerId ?? ''}`).slice(0, 16)}`,
        returnUrl: billingPage(services.config),
        previous: last?.provider === provider ? last : undefined,
        nowMs: services.now(),
      }),
    );
  const own = await listOwnCustomers(services.db, accountId);
  const known = own.find((customer) => customer.provider === provider);
  let customerId = known?.customerId ?? (await createCustomer(''));
  let answer = await open(customerId, previous).catch(async (failure: unknown) => {
    if (known === undefined || isUnanswered(failure)) throw failure;
    if (await ask(() => api.hasCustomer(known.customerId))) throw failure;
    await recordGoneCustomer(services.db, known, services.now());
    customerId = await createCustomer(`-${sha256Hex(known.customerId).slice(0, 16)}`);
    return open(customerId, previous);
  });
  if ('paidFor' in answer) {
    await requireOver(services, provider, answer);
    answer = await open(customerId, undefined);
  }
  if ('paidFor' in answer) throw new AppError('provider_failed', { detail: provider });
  const { checkoutId, url, expiresAtMs } = answer;
  return { provider, priceId, checkoutId, url, expiresAtMs };
}
