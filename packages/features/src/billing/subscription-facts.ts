import { canonicalAddress } from '@gatehouse/auth-core';
import { z } from 'zod';
import type {
  AccountClaim,
  BillingClaims,
  BillingEventOrigin,
  CustomerProfile,
  ProviderStatus,
  SubscriptionClaims,
  SubscriptionSnapshot,
} from '../core/billing/billing-event.js';
import {
  ASKED_RANK,
  type KnownSnapshots,
  prevailing,
  type Stamped,
  UNKNOWN_CHANGE,
  withSnapshot,
} from './snapshot-order.js';

/** The known facts of one provider subscription. */
export interface SubscriptionFacts extends KnownSnapshots {
  readonly account?: Stamped<number> | undefined;
  /** The payment that covers the latest period. Its weight is the end of that period, in epoch milliseconds; 0 if unknown. */
  readonly paid?: Stamped<true> | undefined;
  /** The missed payment of the latest period, weighed in the same way. */
  readonly failed?: Stamped<true> | undefined;
  readonly overdue?: Overdue | undefined;
}

/** Since when a payment is missing, independent of the order of events. */
export interface Overdue {
  /** When the provider last reported that no payment was missing. */
  readonly settledAtUs: number;
  /** The missing payments reported since then; the earliest ones, in order. */
  readonly missedAtUs: readonly number[];
}

/** The known facts of one provider customer. */
export interface CustomerFacts {
  readonly account?: Stamped<number> | undefined;
  readonly profile?: Stamped<CustomerProfile> | undefined;
  /** A customer that the provider has deleted never comes back. */
  readonly isGone?: true | undefined;
}

/** Of two snapshots at the same time, the one further along in the life cycle is later. */
const PROGRESS: Readonly<Record<ProviderStatus, number>> = {
  pending: 0,
  trialing: 1,
  active: 2,
  past_due: 3,
  paused: 4,
  abandoned: 5,
  canceled: 6,
};

/** Providers never revive an ended subscription, so its end takes precedence over everything later. */
const ENDED: ReadonlySet<ProviderStatus> = new Set(['canceled', 'abandoned']);

const AUTHORITY: Readonly<Record<AccountClaim['authority'], number>> = {
  reference: -1,
  imported: 0,
  data: 1,
};

/** Whether nothing but the payer says which account a subscription is for. */
export function isByReference({ account }: SubscriptionFacts): boolean {
  return account?.weight === AUTHORITY.reference;
}

/**
 * A subscription's facts after one more event. Events may arrive in any order and repeatedly. For each kind
 * of statement one takes precedence and is stored, so the same events always give the same facts.
 */
export function applySubscriptionClaims(
  facts: SubscriptionFacts,
  claims: SubscriptionClaims,
  origin: BillingEventOrigin,
): SubscriptionFacts {
  const { account, snapshot, change = UNKNOWN_CHANGE, asked, payment } = claims;
  const at = asked ? { ...origin, occurredAtUs: asked.afterUs } : origin;
  const snapshots =
    snapshot &&
    withSnapshot(facts, {
      ...stamped(snapshot, at, {
        weight: ENDED.has(snapshot.status) && asked?.isGone !== true ? 1 : 0,
        rank: asked ? ASKED_RANK : PROGRESS[snapshot.status],
      }),
      change,
    });
  const { recent, snapshot: latest, isUncertain } = snapshots ?? facts;
  const paymentFact = payment && stamped(true as const, at, { weight: payment.coversUntilMs ?? 0, rank: 0 });
  return {
    account: prevailing(facts.account, stampedAccount(account, at)),
    recent,
    snapshot: latest,
    isUncertain,
    paid: prevailing(facts.paid, payment?.outcome === 'paid' ? paymentFact : undefined),
    failed: prevailing(facts.failed, payment?.outcome === 'failed' ? paymentFact : undefined),
    overdue: overdueAfter(facts.overdue, { snapshot, isMissed: payment?.outcome === 'failed' }, at),
  };
}

/** The moment of the latest event known of a subscription, in microseconds; 0 without one. */
export function lastReportedAtUs({ snapshot, paid, failed }: SubscriptionFacts): number {
  return Math.max(0, ...[snapshot, paid, failed].map((fact) => fact?.atUs ?? 0));
}

/** Providers retry for weeks, a few times each. */
const MAX_MISSES = 100;
const NEVER_MISSED: Overdue = { settledAtUs: 0, missedAtUs: [] };

/** A merge like the others: the latest settled snapshot, and the missing payments after it. */
function overdueAfter(
  known: Overdue | undefined,
  { snapshot, isMissed: isUnpaid }: { snapshot: SubscriptionSnapshot | undefined; isMissed: boolean },
  { occurredAtUs }: BillingEventOrigin,
): Overdue | undefined {
  const isMissed = isUnpaid || snapshot?.status === 'past_due';
  const isSettled = !isMissed && snapshot !== undefined;
  if (!isMissed && !isSettled) return known;
  const { settledAtUs, missedAtUs } = known ?? NEVER_MISSED;
  const lastSettledAtUs = isSettled ? Math.max(settledAtUs, occurredAtUs) : settledAtUs;
  const misses = new Set(isMissed ? [...missedAtUs, occurredAtUs] : missedAtUs);
  return {
    settledAtUs: lastSettledAtUs,
    missedAtUs: [...misses]
      .filter((atUs) => atUs > lastSettledAtUs)
      .sort((left, right) => left - right)
      .slice(0, MAX_MISSES),
  };
}

/** A customer's facts after one more event, in any order. */
export function applyCustomerClaims(
  facts: CustomerFacts,
  { account, profile, isGone }: BillingClaims,
  origin: BillingEventOrigin,
): CustomerFacts {
  return {
    account: prevailing(facts.account, stampedAccount(account, origin)),
    profile: prevailing(facts.profile, profile && stamped(profile, origin)),
    isGone: facts.isGone ?? isGone,
  };
}

function stampedAccount(
  claim: AccountClaim | undefined,
  origin: BillingEventOrigin,
): Stamped<number> | undefined {
  return claim && stamped(claim.accountId, origin, { weight: AUTHORITY[claim.authority], rank: 0 });
}

function stamped<Value>(
  value: Value,
  { occurredAtUs, eventId }: BillingEventOrigin,
  { weight, rank } = { weight: 0, rank: 0 },
): Stamped<Value> {
  return { value, atUs: occurredAtUs, weight, rank, eventId };
}

const stampedShape = <Value>(value: z.ZodType<Value>) =>
  z.object({ value, atUs: z.number(), weight: z.number(), rank: z.number(), eventId: z.string() });

const storedStamp = <Value>(value: z.ZodType<Value>) => stampedShape(value).optional();

const snapshot = z.object({
  status: z.enum(['pending', 'trialing', 'active', 'past_due', 'paused', 'canceled', 'abandoned']),
  prices: z.array(z.string()),
  startedAtMs: z.number().nullable(),
  periodEndsAtMs: z.number().nullable(),
  cancelAtMs: z.number().nullable(),
  collectionPaused: z.boolean(),
});

const change = z.object({ before: z.string().nullable(), after: z.string().nullable() });

/** Facts of a subscription as stored in JSON; empty when nothing is stored yet. */
export const storedSubscriptionFacts: z.ZodType<SubscriptionFacts> = z.object({
  account: storedStamp(z.number()),
  recent: z.array(stampedShape(snapshot).extend({ change })).optional(),
  snapshot: storedStamp(snapshot),
  isUncertain: z.literal(true).optional(),
  paid: storedStamp(z.literal(true)),
  failed: storedStamp(z.literal(true)),
  overdue: z.object({ settledAtUs: z.number(), missedAtUs: z.array(z.number()) }).optional(),
});

/** Facts of a customer as stored in JSON. */
export const storedCustomerFacts: z.ZodType<CustomerFacts> = z.object({
  account: storedStamp(z.number()),
  profile: storedStamp(z.object({ email: z.string().nullable(), name: z.string().nullable() })),
  isGone: z.literal(true).optional(),
});

/**
 * What is stored of a customer apart from the paying account. The address is in its canonical form if it has one, so
 * that erasing its owner finds it.
 */
export function customerColumns(facts: CustomerFacts) {
  const { email = null, name = null } = facts.profile?.value ?? {};
  return {
    accountId: facts.account?.value ?? null,
    email: email === null ? null : (canonicalAddress(email) ?? email),
    name,
    isGone: facts.isGone ?? false,
    detail: facts,
  };
}
