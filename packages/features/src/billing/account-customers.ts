import type { Database } from '@gatehouse/db/database';
import {
  listAccountCustomers,
  openBillingCustomer,
  setBillingCustomer,
} from '@gatehouse/db/queries/billing-customer';
import { listCustomerSubscriptions } from '@gatehouse/db/queries/billing-subscriptions';
import {
  BILLING_PROVIDERS,
  type BillingClaims,
  type BillingEventOrigin,
  type BillingProvider,
} from '../core/billing/billing-event.js';
import { toProviderSubscription } from './account-subscription.js';
import {
  applyCustomerClaims,
  customerColumns,
  isByReference,
  storedCustomerFacts,
} from './subscription-facts.js';

/** A customer that belongs to one account only. */
export interface OwnCustomer {
  readonly provider: BillingProvider;
  readonly customerId: string;
}

const MOST = 20;

/**
 * The account's own customers, oldest first: those that name it, or no account, and pay for nothing else. The page of any other
 * customer shows, and cancels, what another account pays. A customer that only the payer has linked to this account may be
 * anybody's, whose invoices and cards the page would show.
 */
export async function listOwnCustomers(db: Database, accountId: number): Promise<OwnCustomer[]> {
  const customers = await listAccountCustomers(db, accountId, { fromId: 0, limit: MOST });
  const own: OwnCustomer[] = [];
  for (const customer of customers) {
    const provider = BILLING_PROVIDERS.find((each) => each === customer.provider);
    if (provider === undefined || customer.isGone === true) continue;
    const { customerId } = customer;
    const isNamed = customer.accountId === accountId;
    if (!isNamed && customer.accountId !== null) continue;
    const paidFor = await listCustomerSubscriptions(db, { provider, customerId });
    const isKnown = isNamed || paidFor.some((row) => !isByReference(toProviderSubscription(row).facts));
    if (isKnown && paidFor.every((row) => row.accountId === accountId || (isNamed && row.accountId === null)))
      own.push({ provider, customerId });
  }
  return own;
}

/** Stores a new customer of an account, like the provider's event about it. */
export function recordOwnCustomer(
  db: Database,
  { provider, customerId }: OwnCustomer,
  { accountId, nowMs }: { accountId: number; nowMs: number },
): Promise<void> {
  const claims = { customerId, account: { accountId, authority: 'data' as const } };
  return record(db, claims, { provider, eventId: 'checkout', occurredAtUs: nowMs * 1000 }, nowMs);
}

/** Stores that the provider no longer has a customer. */
export function recordGoneCustomer(
  db: Database,
  { provider, customerId }: OwnCustomer,
  nowMs: number,
): Promise<void> {
  const claims = { customerId, profile: { email: null, name: null }, isGone: true as const };
  return record(db, claims, { provider, eventId: 'gone', occurredAtUs: nowMs * 1000 }, nowMs);
}

async function record(
  db: Database,
  claims: BillingClaims,
  origin: BillingEventOrigin,
  nowMs: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { provider } = origin;
    const { customerId } = claims;
    const { id, detail } = await openBillingCustomer(tx, { provider, customerId, nowMs });
    const facts = applyCustomerClaims(storedCustomerFacts.parse(detail ?? {}), claims, origin);
    await setBillingCustomer(tx, { id, ...customerColumns(facts) });
  });
}
