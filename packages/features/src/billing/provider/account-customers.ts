import {
  type Database,
  listAccountCustomers,
  listCustomerSubscriptions,
  openBillingCustomer,
  setBillingCustomer,
} from '@gatehouse/db';
import { BILLING_PROVIDERS, type BillingProvider } from '../billing-provider.js';
import { storedCustomerFacts } from '../stored-facts.js';
import { applyCustomerClaims } from '../subscription-facts.js';

/** A customer that belongs to one account only. */
export interface OwnCustomer {
  readonly provider: BillingProvider;
  readonly customerId: string;
}

const MOST = 20;

/**
 * The account's own customers, oldest first: those that name it, and those that name no account and pay for
 * nothing else. A customer named by another account is left out, because its page shows that account's
 * payments.
 */
export async function listOwnCustomers(db: Database, accountId: number): Promise<OwnCustomer[]> {
  const customers = await listAccountCustomers(db, accountId, { fromId: 0, limit: MOST });
  const own: OwnCustomer[] = [];
  for (const customer of customers) {
    const provider = BILLING_PROVIDERS.find((each) => each === customer.provider);
    if (provider === undefined) continue;
    const { customerId } = customer;
    const isOwn =
      customer.accountId === null
        ? await paysForNothingElse(db, { provider, customerId }, accountId)
        : customer.accountId === accountId;
    if (isOwn) own.push({ provider, customerId });
  }
  return own;
}

async function paysForNothingElse(db: Database, customer: OwnCustomer, accountId: number): Promise<boolean> {
  const subscriptions = await listCustomerSubscriptions(db, customer);
  return subscriptions.every((subscription) => subscription.accountId === accountId);
}

/** Stores a new customer of an account, like the provider's event about it. */
export async function recordOwnCustomer(
  db: Database,
  { provider, customerId }: OwnCustomer,
  { accountId, nowMs }: { accountId: number; nowMs: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { id, detail } = await openBillingCustomer(tx, { provider, customerId, nowMs });
    const facts = applyCustomerClaims(
      storedCustomerFacts.parse(detail ?? {}),
      { customerId, account: { accountId, authority: 'data' } },
      { provider, eventId: 'checkout', occurredAtUs: nowMs * 1000 },
    );
    await setBillingCustomer(tx, {
      id,
      accountId: facts.account?.value ?? null,
      email: facts.profile?.value.email ?? null,
      name: facts.profile?.value.name ?? null,
      detail: facts,
    });
  });
}
