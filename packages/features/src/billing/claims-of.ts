import type { AccountClaim, BillingClaims, SubscriptionSnapshot } from './billing-event.js';

/** What a subscription says, as either provider shows it. */
export function claimsOfSubscription(subscription: {
  id: string;
  customerId: string;
  accountId: number | undefined;
  snapshot: SubscriptionSnapshot;
}): BillingClaims {
  const { id, customerId, accountId, snapshot } = subscription;
  return { customerId, subscription: { subscriptionId: id, account: claimOfData(accountId), snapshot } };
}

/** What a customer says, as either provider shows one. */
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

/** The account that the integrator's server has named, undefined where it has named none. */
export function claimOfData(accountId: number | undefined): AccountClaim | undefined {
  return accountId === undefined ? undefined : { accountId, authority: 'data' };
}
