import type { BillingSubscriptionRow } from '@gatehouse/db/queries/billing-subscriptions';
import type { SubscriptionRow } from '@gatehouse/db/queries/subscriptions';
import type { BegunStatus, ProviderStatus } from '../core/billing/billing-event.js';
import type { Stamped } from './snapshot-order.js';
import { isByReference, type SubscriptionFacts, storedSubscriptionFacts } from './subscription-facts.js';

/** The subscription state of an account; `expired` only applies to our own trials. */
type SubscriptionStatus = BegunStatus | 'expired';

/** One provider subscription, with its known facts. */
export interface ProviderSubscription {
  readonly provider: string;
  readonly subscriptionId: string;
  readonly customerId: string;
  readonly facts: SubscriptionFacts;
}

/** The single subscription of an account, derived from all of its provider subscriptions. */
interface AccountSubscription {
  readonly status: SubscriptionStatus;
  /** Undefined while the account only has its registration trial. */
  readonly source: ProviderSubscription | undefined;
}

/** The registration trial of an account, in epoch milliseconds. */
interface Trial {
  /** Null if the account never had one. */
  readonly trialEndsAtMs: number | null;
  /** When staff last extended it; null if they never did. */
  readonly trialExtendedAtMs: number | null;
}

/**
 * The state of a provider's subscription; undefined if never paid. The provider's snapshot decides. A newer
 * payment changes it, because its event may arrive before the next snapshot.
 */
export function providerStatus(facts: SubscriptionFacts): BegunStatus | undefined {
  const reported = facts.snapshot?.value.status ?? 'pending';
  const paid = ofPresentCycle(facts.paid, facts);
  const failed = ofPresentCycle(facts.failed, facts);
  const isPaid = paid !== undefined && isNewer(paid, facts.snapshot);
  const isFailed = failed !== undefined && isNewer(failed, facts.snapshot) && !covers(paid, failed);
  const settled = isPaid ? AFTER_PAYMENT[reported] : reported;
  const status = isFailed ? AFTER_FAILURE[settled] : settled;
  return status === 'pending' || status === 'abandoned' ? undefined : status;
}

/** A payment of an earlier period than that of the snapshot does not change the state of the subscription. */
function ofPresentCycle(
  payment: Stamped<true> | undefined,
  { snapshot }: SubscriptionFacts,
): Stamped<true> | undefined {
  const isEarlier =
    payment !== undefined && payment.weight > 0 && payment.weight < (snapshot?.value.periodEndsAtMs ?? 0);
  return isEarlier ? undefined : payment;
}

function isNewer(payment: Stamped<true>, snapshot: Stamped<unknown> | undefined): boolean {
  return payment.atUs > (snapshot?.atUs ?? Number.NEGATIVE_INFINITY);
}

/** Whether a payment makes up for a missed one: by its period if both are known, else by its time. */
function covers(paid: Stamped<true> | undefined, failed: Stamped<true>): boolean {
  if (paid === undefined) return false;
  const areKnown = paid.weight > 0 && failed.weight > 0;
  return areKnown && paid.weight !== failed.weight ? paid.weight > failed.weight : paid.atUs >= failed.atUs;
}

/**
 * Since when a subscription is past due, in epoch milliseconds: the first such event after the last payment.
 * Null if it is not past due, or if no dated event reports it.
 */
export function pastDueSinceMs(facts: SubscriptionFacts): number | null {
  if (providerStatus(facts) !== 'past_due') return null;
  const { snapshot, failed, overdue } = facts;
  const paidAtUs = ofPresentCycle(facts.paid, facts)?.atUs ?? 0;
  const saidAtUs = Math.max(snapshot?.value.status === 'past_due' ? snapshot.atUs : 0, failed?.atUs ?? 0);
  const firstAtUs = overdue?.missedAtUs.find((atUs) => atUs > paidAtUs) ?? saidAtUs;
  return firstAtUs === 0 ? null : Math.floor(firstAtUs / 1000);
}

const AFTER_PAYMENT: Readonly<Record<ProviderStatus, ProviderStatus>> = {
  pending: 'active',
  trialing: 'trialing',
  active: 'active',
  past_due: 'active',
  paused: 'paused',
  canceled: 'canceled',
  abandoned: 'abandoned',
};

const AFTER_FAILURE: Readonly<Record<ProviderStatus, ProviderStatus>> = {
  pending: 'pending',
  trialing: 'past_due',
  active: 'past_due',
  past_due: 'past_due',
  paused: 'paused',
  canceled: 'canceled',
  abandoned: 'abandoned',
};

/** Of several subscriptions, the one that is best for the account applies. */
const PRECEDENCE: Readonly<Record<BegunStatus, number>> = {
  active: 4,
  trialing: 3,
  past_due: 2,
  paused: 1,
  canceled: 0,
};

/**
 * An account's subscription at a moment: the best of its provider subscriptions, else its registration trial. Among equal live
 * ones the earliest start wins, among equal ended ones the latest end. While a trial extended by staff is running, canceled
 * subscriptions that began before it are ignored. Subscriptions that only the payer has linked to this account are used if they
 * help: never during a trial or beside the account's own running one, and in place of an ended one only while they are paid.
 */
export function accountSubscription(
  subscriptions: readonly ProviderSubscription[],
  { trialEndsAtMs, trialExtendedAtMs, nowMs }: Trial & { nowMs: number },
): AccountSubscription {
  const trial = trialStatus({ trialEndsAtMs, nowMs });
  const extendedAtMs = trial === 'trialing' ? (trialExtendedAtMs ?? 0) : 0;
  const begun = subscriptions.flatMap((source) => {
    const status = providerStatus(source.facts);
    if (status === undefined) return [];
    const startedAtMs = source.facts.snapshot?.value.startedAtMs ?? 0;
    return status === 'canceled' && startedAtMs < extendedAtMs ? [] : [{ status, source }];
  });
  const own = begun.filter(({ source }) => !isByReference(source.facts));
  const isOpenToPayers = trial === 'expired' && own.every(({ status }) => status === 'canceled');
  const helps = ({ status, source }: Candidate) =>
    isByReference(source.facts) && (own.length === 0 || status === 'active' || status === 'trialing');
  const counted = isOpenToPayers ? [...own, ...begun.filter(helps)] : own;
  const best = counted.reduce<(typeof begun)[number] | undefined>(
    (chosen, candidate) => (chosen === undefined || speaksBefore(candidate, chosen) ? candidate : chosen),
    undefined,
  );
  return best ?? { status: trial, source: undefined };
}

/** The state of a registration trial at a moment. It ends exactly on time. */
export function trialStatus({
  trialEndsAtMs,
  nowMs,
}: {
  trialEndsAtMs: number | null;
  nowMs: number;
}): 'trialing' | 'expired' {
  return trialEndsAtMs !== null && nowMs < trialEndsAtMs ? 'trialing' : 'expired';
}

interface Candidate {
  readonly status: BegunStatus;
  readonly source: ProviderSubscription;
}

function speaksBefore(left: Candidate, right: Candidate): boolean {
  const difference = PRECEDENCE[left.status] - PRECEDENCE[right.status];
  if (difference !== 0) return difference > 0;
  const order =
    left.status === 'canceled' ? endedAtUs(right) - endedAtUs(left) : beganAtMs(left) - beganAtMs(right);
  if (order !== 0) return order < 0;
  return (
    `${left.source.provider}:${left.source.subscriptionId}` <
    `${right.source.provider}:${right.source.subscriptionId}`
  );
}

function endedAtUs({ source }: Candidate): number {
  return source.facts.snapshot?.atUs ?? 0;
}

function beganAtMs({ source }: Candidate): number {
  return source.facts.snapshot?.value.startedAtMs ?? Number.MAX_SAFE_INTEGER;
}

/** Whether this is a provider subscription that has not ended. */
export function isRunning({ provider, state }: Pick<SubscriptionRow, 'provider' | 'state'>): boolean {
  return provider !== null && state !== 'canceled' && state !== 'expired';
}

/** A stored subscription with its parsed facts. */
export function toProviderSubscription(row: BillingSubscriptionRow): ProviderSubscription {
  const { provider, subscriptionId, customerId } = row;
  return { provider, subscriptionId, customerId, facts: storedSubscriptionFacts.parse(row.facts) };
}
