import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** What is remembered of a customer; `detail` is what the caller stored, null at first. */
export interface BillingCustomerRow {
  id: number;
  accountId: number | null;
  detail: unknown;
  isNew: boolean;
}

/**
 * Opens the row of a provider's customer, making it where there is none, and holds it until the transaction ends:
 * events of one customer are applied one after the other, on any number of nodes.
 */
export async function openBillingCustomer(
  tx: Database,
  { provider, customerId, nowMs }: { provider: string; customerId: string; nowMs: number },
): Promise<BillingCustomerRow> {
  const { billingCustomers } = tx.tables;
  const isThis = and(eq(billingCustomers.provider, provider), eq(billingCustomers.customerId, customerId));
  const hold = () => tx.write(tx.update(billingCustomers).set({ updatedAtMs: nowMs }).where(isThis));
  let isNew = false;
  if ((await hold()) === 0) {
    isNew = await tx.insertOnce(billingCustomers, {
      provider,
      customerId,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    });
    if (!isNew) await hold();
  }
  const { id, accountId, detail } = billingCustomers;
  const [row] = await tx.select({ id, accountId, detail }).from(billingCustomers).where(isThis);
  if (row === undefined) throw new Error('a customer that was just stored is not there');
  return { ...row, isNew };
}

/** Stores what is known of a customer that this transaction has opened. */
export async function setBillingCustomer(
  tx: Database,
  customer: {
    id: number;
    accountId: number | null;
    email: string | null;
    name: string | null;
    detail: unknown;
    lastEventAtMs: number;
  },
): Promise<void> {
  const { billingCustomers } = tx.tables;
  const { id, ...columns } = customer;
  await tx.write(tx.update(billingCustomers).set(columns).where(eq(billingCustomers.id, id)));
}

/** A customer of a provider that an account pays through. */
export interface AccountCustomer {
  provider: string;
  customerId: string;
}

/** The customers whose subscriptions may be the account's, by provider and id. */
export async function listAccountCustomers(
  db: Database,
  accountId: number,
  { provider, most }: { provider?: string | undefined; most: number },
): Promise<AccountCustomer[]> {
  const { billingCustomers: customer, billingSubscriptions: subscription } = db.tables;
  const ofProvider = (column: typeof customer.provider | typeof subscription.provider) =>
    provider === undefined ? undefined : eq(column, provider);
  const [named, paying] = await Promise.all([
    db
      .select({ provider: customer.provider, customerId: customer.customerId })
      .from(customer)
      .where(and(eq(customer.accountId, accountId), ofProvider(customer.provider)))
      .orderBy(asc(customer.id))
      .limit(most),
    db
      .select({ provider: subscription.provider, customerId: subscription.customerId })
      .from(subscription)
      .where(and(eq(subscription.accountId, accountId), ofProvider(subscription.provider)))
      .groupBy(subscription.provider, subscription.customerId)
      .limit(most),
  ]);
  const distinct = new Map([...named, ...paying].map((row) => [`${row.provider}:${row.customerId}`, row]));
  return [...distinct.entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .slice(0, most)
    .map(([, row]) => row);
}
