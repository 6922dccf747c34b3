import type {
  AccountClaim,
  BillingClaims,
  SubscriptionClaims,
  SubscriptionSnapshot,
} from './billing-event.js';

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
