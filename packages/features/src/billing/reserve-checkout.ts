import { AppError, randomId } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  type BillingCheckoutRow,
  findBillingCheckout,
  leaseBillingCheckout,
  type OpenCheckout,
  releaseBillingCheckout,
} from '@gatehouse/db/queries/billing-checkout';
import { listBillingSubscriptions } from '@gatehouse/db/queries/billing-subscriptions';
import { findSubscription, type SubscriptionRow } from '@gatehouse/db/queries/subscriptions';
import type { BillingPlan } from '../core/billing-plans.js';
import { isRunning, toProviderSubscription } from './account-subscription.js';
import { PROVIDER_TIMEOUT_MS } from './ask-provider.js';
import { isByReference } from './subscription-facts.js';

/** The reservation of a dead call expires after this. */
const LEASE_MS = PROVIDER_TIMEOUT_MS + 4_000;

/** A checkout this recent is not checked again. */
const TRUSTED_MS = 60_000;

/** A checkout this close to its end is not reused. */
const LEAST_LEFT_MS = 60_000;

/** The result of a reservation. */
export type Reservation =
  | { readonly kind: 'open'; readonly checkout: OpenCheckout }
  /** Another call is opening one. */
  | { readonly kind: 'elsewhere' }
  | {
      readonly kind: 'own';
      readonly leaseToken: string;
      readonly attemptKey: string;
      /** The checkout opened last, which may still be open. */
      readonly previous: OpenCheckout | undefined;
    };

/**
 * Reserves the account's one checkout before the provider is called, or finds the open one.
 * @throws {AppError} `subscribed`
 */
export async function reserveCheckout(
  tx: Database,
  { accountId, plan, nowMs }: { accountId: number; plan: BillingPlan; nowMs: number },
): Promise<Reservation> {
  const subscription = await findSubscription(tx, accountId);
  if (subscription && isRunning(subscription) && !(await isOfPayer(tx, subscription)))
    throw new AppError('subscribed');
  const { provider, priceId } = plan;
  const leaseToken = randomId();
  const isLeased = await leaseBillingCheckout(tx, {
    accountId,
    provider,
    priceId,
    attemptKey: randomId(),
    leaseToken,
    leaseUntilMs: nowMs + LEASE_MS,
    nowMs,
  });
  const row = isLeased ? await findBillingCheckout(tx, accountId) : undefined;
  if (row === undefined) return { kind: 'elsewhere' };
  const previous = openCheckoutIn(row);
  const checkedAtMs = row.checkedAtMs ?? 0;
  // A later change of the subscription may have come from this checkout.
  const isRecent = Math.abs(nowMs - checkedAtMs) < TRUSTED_MS;
  const isTrusted = isRecent && checkedAtMs > (subscription?.updatedAtMs ?? 0);
  if (previous && isTrusted && isFor(previous, plan) && previous.expiresAtMs > nowMs + LEAST_LEFT_MS) {
    await releaseBillingCheckout(tx, { accountId, leaseToken }, { nextAttemptKey: undefined, nowMs });
    return { kind: 'open', checkout: previous };
  }
  return { kind: 'own', leaseToken, attemptKey: row.attemptKey, previous };
}

function isFor(open: OpenCheckout, plan: BillingPlan): boolean {
  return open.provider === plan.provider && open.priceId === plan.priceId;
}

function openCheckoutIn(row: BillingCheckoutRow): OpenCheckout | undefined {
  const { openProvider, openPriceId, checkoutId, url, expiresAtMs } = row;
  if (openProvider === null || openPriceId === null || checkoutId === null) return undefined;
  if (url === null || expiresAtMs === null) return undefined;
  return { provider: openProvider, priceId: openPriceId, checkoutId, url, expiresAtMs };
}

/** Whether only the payer says that the subscription is for this account. It does not prevent another purchase. */
async function isOfPayer(
  tx: Database,
  { provider, providerSubscriptionId }: SubscriptionRow,
): Promise<boolean> {
  if (provider === null || providerSubscriptionId === null) return false;
  const [row] = await listBillingSubscriptions(tx, { provider, subscriptionIds: [providerSubscriptionId] });
  return row !== undefined && isByReference(toProviderSubscription(row).facts);
}
