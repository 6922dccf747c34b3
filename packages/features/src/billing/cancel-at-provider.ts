import { AppError } from '@gatehouse/auth-core';
import { findBillingCheckout } from '@gatehouse/db/queries/billing-checkout';
import {
  listAccountSubscriptions,
  listBillingSubscriptions,
} from '@gatehouse/db/queries/billing-subscriptions';
import type { PaymentApiLoader } from '../core/billing/billing.js';
import { BILLING_PROVIDERS, type BillingProvider } from '../core/billing/billing-event.js';
import type { PaidCheckout, PaymentApi } from '../core/billing/payment-api.js';
import type { Services } from '../core/context.js';
import { providerStatus, toProviderSubscription } from './account-subscription.js';
import { askProvider, type ProviderDeadline, providerDeadline } from './ask-provider.js';

/**
 * A paid checkout is regarded as a subscription, even before its events arrive, until an event says that it has ended.
 * @throws {AppError} `subscribed`
 */
export async function requireOver(
  { db }: Pick<Services, 'db'>,
  provider: BillingProvider,
  { paidFor: { subscriptionId } }: PaidCheckout,
): Promise<void> {
  const subscriptionIds = subscriptionId === null ? [] : [subscriptionId];
  const [row] = await listBillingSubscriptions(db, { provider, subscriptionIds });
  const isOver = row !== undefined && providerStatus(toProviderSubscription(row).facts) === 'canceled';
  if (!isOver) throw new AppError('subscribed');
}

/**
 * Ends an account's provider subscriptions and its checkout before the account is closed. The providers'
 * events then update our own records.
 * @throws {AppError} `provider_failed` if a provider refuses or does not answer, or its key is missing
 */
export async function cancelAtProvider(services: Services, accountId: number): Promise<void> {
  await cancelAt(services, accountId, () => true);
}

/**
 * `cancelAtProvider` for staff, who can also close accounts at a provider for which this deployment has no
 * key.
 * @throws {AppError} `provider_failed` if a provider refuses or does not answer
 */
export async function cancelWhereAsked(services: Services, accountId: number): Promise<void> {
  await cancelAt(services, accountId, (provider) => loaderOf(services, provider) !== undefined);
}

async function cancelAt(
  services: Services,
  accountId: number,
  isAsked: (provider: string) => boolean,
): Promise<void> {
  const deadline = providerDeadline();
  const paidMeanwhile = await endOpenCheckout(services, accountId, isAsked, deadline);
  const known = await listAccountSubscriptions(services.db, accountId);
  const live = known.map(toProviderSubscription).filter(({ facts }) => isLive(providerStatus(facts)));
  for (const { provider, subscriptionId } of [...paidMeanwhile, ...live]) {
    if (isAsked(provider))
      await ask(services, provider, deadline, (api) => api.cancelSubscription(subscriptionId));
  }
}

function isLive(status: ReturnType<typeof providerStatus>): boolean {
  return status !== undefined && status !== 'canceled';
}

/** A payment that was made before the checkout ended. */
async function endOpenCheckout(
  services: Services,
  accountId: number,
  isAsked: (provider: string) => boolean,
  deadline: ProviderDeadline,
): Promise<{ provider: string; subscriptionId: string }[]> {
  const row = await findBillingCheckout(services.db, accountId);
  const { openProvider: provider = null, checkoutId = null } = row ?? {};
  if (provider === null || checkoutId === null || !isAsked(provider)) return [];
  const end = await ask(services, provider, deadline, (api) => api.endCheckout(checkoutId));
  if (end === 'ended') return [];
  const { subscriptionId } = end.paidFor;
  // If the subscription of a payment does not exist yet, it can be canceled a moment later.
  if (subscriptionId === null) throw new AppError('provider_failed', { detail: provider });
  return [{ provider, subscriptionId }];
}

async function ask<Answer>(
  services: Services,
  name: string,
  deadline: ProviderDeadline,
  question: (api: PaymentApi) => Promise<Answer>,
): Promise<Answer> {
  const provider = BILLING_PROVIDERS.find((each): each is BillingProvider => each === name);
  const loadApi = loaderOf(services, name);
  if (!provider || !loadApi) throw new AppError('provider_failed', { detail: `no API key of ${name}` });
  const api = await loadApi();
  return askProvider(provider, deadline, () => question(api));
}

function loaderOf(services: Services, name: string): PaymentApiLoader | undefined {
  const provider = BILLING_PROVIDERS.find((each) => each === name);
  return provider && services.billing.apis[provider];
}

/** The longest wait for a provider whose key was removed. */
const LATE_MS = 86_400_000;

/**
 * Ends an open checkout, so that nobody pays for an account about to be closed.
 * @throws {AppError} `subscribed` if it has just been paid, `provider_failed`
 */
export async function endUnpaidCheckout(services: Services, accountId: number): Promise<void> {
  const row = await findBillingCheckout(services.db, accountId);
  const { openProvider = null, checkoutId = null, expiresAtMs = null } = row ?? {};
  const provider = BILLING_PROVIDERS.find((each) => each === openProvider);
  // Only the provider can tell whether it has ended: Paddle's transactions do not expire, and our clock may
  // be wrong.
  if (provider === undefined || checkoutId === null) return;
  const loadApi = services.billing.apis[provider];
  const isLongOver = expiresAtMs === null || expiresAtMs + LATE_MS < services.now();
  if (!loadApi && isLongOver) return;
  if (!loadApi) throw new AppError('provider_failed', { detail: `no API key of ${provider}` });
  const api = await loadApi();
  const end = await askProvider(provider, providerDeadline(), () => api.endCheckout(checkoutId));
  if (end !== 'ended') await requireOver(services, provider, end);
}
