import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { listBillingSubscriptions } from '@gatehouse/db/queries/billing-subscriptions';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import type { PaymentApis } from '../core/billing/billing.js';
import type { BillingClaims, BillingEventOrigin, BillingProvider } from '../core/billing/billing-event.js';
import type { Config } from '../core/config.js';
import { providerStatus } from './account-subscription.js';
import { applyBillingClaims } from './apply-billing-claims.js';
import { askProvider, providerDeadline } from './ask-provider.js';
import {
  applySubscriptionClaims,
  lastReportedAtUs,
  type SubscriptionFacts,
  storedSubscriptionFacts,
} from './subscription-facts.js';

/** The services that a question to a provider needs. */
export interface AskingServices {
  readonly db: Database;
  readonly config: Pick<Config, 'BILLING_PLANS'>;
  readonly billing: { readonly apis: PaymentApis };
  readonly now: () => number;
}

/** A subscription about which the provider is asked. */
export interface SubscriptionInQuestion {
  readonly provider: BillingProvider;
  readonly subscriptionId: string;
  readonly customerId: string;
}

/** A provider's answer about a subscription, used beside its events. */
interface Comparison {
  readonly isDifferent: boolean;
  readonly answer: BillingClaims;
}

/**
 * Asks a provider about a subscription, and compares. Nothing is written.
 * @throws {AppError} `provider_failed`, also without an API key
 */
export async function compareWithProvider(
  services: AskingServices,
  subscription: SubscriptionInQuestion,
): Promise<Comparison> {
  const { provider, subscriptionId } = subscription;
  const [row] = await listBillingSubscriptions(services.db, { provider, subscriptionIds: [subscriptionId] });
  const known = storedSubscriptionFacts.parse(row?.facts ?? {});
  const answer = await askAboutSubscription(services, subscription, known);
  const after = answer.subscription
    ? applySubscriptionClaims(known, answer.subscription, originOf(provider, services.now()))
    : known;
  const isDifferent =
    providerStatus(known) !== providerStatus(after) ||
    !isDeepStrictEqual(known.snapshot?.value, after.snapshot?.value);
  return { isDifferent, answer };
}

/**
 * Corrects a subscription by what its provider says. Returns whether it was different.
 * @throws {AppError} `provider_failed`, also without an API key
 */
export async function correctByProvider(
  services: AskingServices,
  subscription: SubscriptionInQuestion,
): Promise<boolean> {
  const { isDifferent, answer } = await compareWithProvider(services, subscription);
  if (!isDifferent) return false;
  const nowMs = services.now();
  const { BILLING_PLANS: plans } = services.config;
  const accounts: number[] = [];
  await changeAccess(services.db, { accounts }, async (tx) => {
    // A transaction that met a conflict runs again.
    accounts.length = 0;
    const origin = originOf(subscription.provider, nowMs);
    accounts.push(...(await applyBillingClaims(tx, answer, origin, { plans, nowMs })).accountIds);
  });
  return true;
}

/**
 * A provider's current statement about a subscription. One that does not exist there is over.
 * @param known what is known when the provider is asked. Later events are newer than the answer, and if the provider does not
 * know the subscription, its paid period is the known one
 * @throws {AppError} `provider_failed`, also without an API key
 */
export async function askAboutSubscription(
  { billing }: Pick<AskingServices, 'billing'>,
  { provider, subscriptionId, customerId }: SubscriptionInQuestion,
  known: SubscriptionFacts,
): Promise<BillingClaims> {
  const loadApi = billing.apis[provider];
  if (!loadApi) throw new AppError('provider_failed', { detail: `no API key of ${provider}` });
  const api = await loadApi();
  const answer = await askProvider(provider, providerDeadline(), () => api.findSubscription(subscriptionId));
  const over = { ...(known.snapshot?.value ?? NOTHING_KNOWN), status: 'canceled' as const };
  const { subscription, ...claims } = answer ?? {
    customerId,
    subscription: { subscriptionId, snapshot: over },
  };
  const asked = { afterUs: lastReportedAtUs(known), isGone: answer === undefined };
  return { ...claims, subscription: subscription && { ...subscription, asked } };
}

const NOTHING_KNOWN = {
  prices: [],
  startedAtMs: null,
  periodEndsAtMs: null,
  cancelAtMs: null,
  collectionPaused: false,
};

/** The origin of an answer; of two, the later one has the greater id. */
export function originOf(provider: BillingProvider, nowMs: number): BillingEventOrigin {
  return { provider, eventId: `asked-${String(nowMs).padStart(15, '0')}`, occurredAtUs: nowMs * 1000 };
}
