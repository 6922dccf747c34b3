import type {
  AccountClaim,
  BillingClaims,
  BillingEventOrigin,
  CustomerProfile,
  ProviderStatus,
  SubscriptionClaims,
  SubscriptionSnapshot,
} from './billing-event.js';
import { prevailing, type Stamped } from './stamped.js';

/** The known facts of one provider subscription. */
export interface SubscriptionFacts {
  readonly account?: Stamped<number> | undefined;
  readonly snapshot?: Stamped<SubscriptionSnapshot> | undefined;
  readonly paid?: Stamped<true> | undefined;
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
  { account, snapshot, payment }: SubscriptionClaims,
  origin: BillingEventOrigin,
): SubscriptionFacts {
  return {
    account: prevailing(facts.account, stampedAccount(account, origin)),
    snapshot: prevailing(
      facts.snapshot,
      snapshot &&
        stamped(snapshot, origin, {
          weight: ENDED.has(snapshot.status) ? 1 : 0,
          rank: PROGRESS[snapshot.status],
        }),
    ),
    paid: prevailing(facts.paid, payment === 'paid' ? stamped(true, origin) : undefined),
    failed: prevailing(facts.failed, payment === 'failed' ? stamped(true, origin) : undefined),
    overdue: overdueAfter(facts.overdue, { snapshot, payment }, origin),
  };
}

/** Providers retry for weeks, a few times each. */
const MOST_MISSES = 100;
const NEVER_MISSED: Overdue = { settledAtUs: 0, missedAtUs: [] };

/** A merge like the others: the latest settlement, and the missing payments after it. */
function overdueAfter(
  known: Overdue | undefined,
  { snapshot, payment }: Pick<SubscriptionClaims, 'snapshot' | 'payment'>,
  { occurredAtUs }: BillingEventOrigin,
): Overdue | undefined {
  const isMissed = payment === 'failed' || snapshot?.status === 'past_due';
  const isSettled = !isMissed && (payment === 'paid' || snapshot !== undefined);
  if (!isMissed && !isSettled) return known;
  const { settledAtUs, missedAtUs } = known ?? NEVER_MISSED;
  const lastSettledAtUs = isSettled ? Math.max(settledAtUs, occurredAtUs) : settledAtUs;
  const misses = new Set(isMissed ? [...missedAtUs, occurredAtUs] : missedAtUs);
  return {
    settledAtUs: lastSettledAtUs,
    missedAtUs: [...misses]
      .filter((atUs) => atUs > lastSettledAtUs)
      .sort((left, right) => left - right)
      .slice(0, MOST_MISSES),
  };
}

/** A customer's facts after one more event, in any order. */
export function applyCustomerClaims(
  facts: CustomerFacts,
  { account, profile }: BillingClaims,
  origin: BillingEventOrigin,
): CustomerFacts {
  return {
    account: prevailing(facts.account, stampedAccount(account, origin)),
    profile: prevailing(facts.profile, profile && stamped(profile, origin)),
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
