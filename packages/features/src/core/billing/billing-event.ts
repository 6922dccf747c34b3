/** The payment providers that send subscription events. */
export const BILLING_PROVIDERS = ['stripe', 'paddle'] as const;

export type BillingProvider = (typeof BILLING_PROVIDERS)[number];

/**
 * The provider's state of a subscription. `pending` has not been paid yet, and `abandoned` never will be: neither is regarded as
 * a subscription.
 */
export type ProviderStatus =
  | 'pending'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'paused'
  | 'canceled'
  | 'abandoned';

/** The state of a subscription that has begun. */
export type BegunStatus = Exclude<ProviderStatus, 'pending' | 'abandoned'>;

/** A subscription as its provider shows it at one moment. */
export interface SubscriptionSnapshot {
  readonly status: ProviderStatus;
  /** The provider's ids of the prices of its items, in the provider's order. */
  readonly prices: readonly string[];
  readonly startedAtMs: number | null;
  readonly periodEndsAtMs: number | null;
  /** When it is going to end, if that is decided. */
  readonly cancelAtMs: number | null;
  /** Whether the provider collects no payments for now, although the subscription stays active. */
  readonly collectionPaused: boolean;
}

/** The provider's fields around an event, as text that is only compared. */
export interface SnapshotChange {
  /** Before the event; empty if the subscription did not exist, null if the event does not say. */
  readonly before: string | null;
  /** After the event. */
  readonly after: string | null;
}

/** The place of a provider's answer among the events. */
interface ProviderAnswer {
  /**
   * The moment of the latest event known when the provider was asked, in microseconds: a later event is newer than the answer.
   */
  readonly afterUs: number;
  /** Whether the provider does not know the subscription. That ends it until an event or another answer says more. */
  readonly isGone: boolean;
}

/** A payment of the subscription's own cycle, made or missed. */
interface CyclePayment {
  readonly outcome: 'paid' | 'failed';
  /** The end of the period that it pays for; null if the event does not say. */
  readonly coversUntilMs: number | null;
}

export interface CustomerProfile {
  readonly email: string | null;
  readonly name: string | null;
}

/**
 * A claim about the owning account. `data` was set by the integrator's server and takes precedence over an `imported` claim,
 * from an earlier system. A `reference` comes from the payer's browser, who may name any account: it has the lowest precedence
 * and can only help the account.
 */
export interface AccountClaim {
  readonly accountId: number;
  readonly authority: 'imported' | 'reference' | 'data';
}

/** The claims of an event about one subscription. */
export interface SubscriptionClaims {
  readonly subscriptionId: string;
  readonly account?: AccountClaim | undefined;
  readonly snapshot?: SubscriptionSnapshot | undefined;
  /** What the snapshot's event says about its order among events of the same time. */
  readonly change?: SnapshotChange | undefined;
  /** Set if the snapshot is the provider's answer to our request. */
  readonly asked?: ProviderAnswer | undefined;
  readonly payment?: CyclePayment | undefined;
}

/** The content of an event, in a form shared by all providers. */
export interface BillingClaims {
  readonly customerId: string;
  /** The account for subscriptions of the customer that name no account. */
  readonly account?: AccountClaim | undefined;
  readonly profile?: CustomerProfile | undefined;
  /** Whether the provider has deleted the customer. */
  readonly isGone?: true | undefined;
  readonly subscription?: SubscriptionClaims | undefined;
}

/** The event, and when it happened. */
export interface BillingEventOrigin {
  readonly provider: BillingProvider;
  readonly eventId: string;
  readonly occurredAtUs: number;
}

/** The claims of a subscription of either provider. */
export function claimsOfSubscription(subscription: {
  id: string;
  customerId: string;
  accountId: number | undefined;
  snapshot: SubscriptionSnapshot;
}): BillingClaims & { readonly subscription: SubscriptionClaims } {
  const { id, customerId, accountId, snapshot } = subscription;
  return { customerId, subscription: { subscriptionId: id, account: claimOfData(accountId), snapshot } };
}

/** The claims of a customer of either provider. */
export function claimsOfCustomer(customer: {
  id: string;
  accountId: number | undefined;
  email?: string | null | undefined;
  name?: string | null | undefined;
}): BillingClaims {
  const { id, accountId, email, name } = customer;
  return {
    customerId: id,
    account: claimOfData(accountId),
    profile: { email: email ?? null, name: name ?? null },
  };
}

/** The account named by the integrator's server; undefined without one. */
export function claimOfData(accountId: number | undefined): AccountClaim | undefined {
  return accountId === undefined ? undefined : { accountId, authority: 'data' };
}
