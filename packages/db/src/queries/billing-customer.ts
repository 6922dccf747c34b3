import { and, asc, desc, eq, gte, isNotNull } from 'drizzle-orm';
import type { Database } from '../database.js';

/** The stored state of a customer. `detail` is JSON of the caller, null at first. */
export interface BillingCustomerRow {
  id: number;
  accountId: number | null;
  detail: unknown;
}

/**
 * Locks a provider's customer until the transaction ends, and creates the row if missing. Events of one customer
 * are thus applied one at a time, on any number of nodes.
 */
export async function openBillingCustomer(
  tx: Database,
  { provider, customerId, nowMs }: { provider: string; customerId: string; nowMs: number },
): Promise<BillingCustomerRow> {
  const { billingCustomers } = tx.tables;
  const isThis = and(eq(billingCustomers.provider, provider), eq(billingCustomers.customerId, customerId));
  const hold = () => tx.write(tx.update(billingCustomers).set({ updatedAtMs: nowMs }).where(isThis));
  if ((await hold()) === 0) {
    const row = { provider, customerId, createdAtMs: nowMs, updatedAtMs: nowMs };
    if (!(await tx.insertOnce(billingCustomers, row))) await hold();
  }
  const { id, accountId, detail } = billingCustomers;
  const [row] = await tx.select({ id, accountId, detail }).from(billingCustomers).where(isThis);
  if (row === undefined) throw new Error('a customer that was just stored is not there');
  return row;
}

/** Stores the state of a customer locked by this transaction. */
export async function setBillingCustomer(
  tx: Database,
  customer: {
    id: number;
    accountId: number | null;
    email: string | null;
    name: string | null;
    isGone: boolean;
    detail: unknown;
  },
): Promise<void> {
  const { billingCustomers } = tx.tables;
  const { id, ...columns } = customer;
  await tx.write(tx.update(billingCustomers).set(columns).where(eq(billingCustomers.id, id)));
}

/** The account that a provider's customer pays for, else that of one of their subscriptions; null where none is known. */
export async function findCustomerAccount(
  db: Database,
  { provider, customerId }: { provider: string; customerId: string },
): Promise<number | null> {
  const { billingCustomers: customers, billingSubscriptions: subscriptions } = db.tables;
  const rows = await db
    .select({ own: customers.accountId, paid: subscriptions.accountId })
    .from(customers)
    .leftJoin(
      subscriptions,
      and(
        eq(subscriptions.provider, customers.provider),
        eq(subscriptions.customerId, customers.customerId),
        isNotNull(subscriptions.accountId),
      ),
    )
    .where(and(eq(customers.provider, provider), eq(customers.customerId, customerId)))
    .orderBy(desc(subscriptions.id))
    .limit(1);
  return rows[0]?.own ?? rows[0]?.paid ?? null;
}

/** A provider's customer that an account pays through; `id` is that of our row. */
export interface AccountCustomer {
  id: number;
  provider: string;
  customerId: string;
  /** The account of the customer's subscriptions that name no account. */
  accountId: number | null;
  email: string | null;
  name: string | null;
  /** Whether the provider no longer has the customer; null for no. */
  isGone: boolean | null;
}

/**
 * The customers of an account, and customers that pay for one of its subscriptions, by row id from `fromId`
 * on.
 */
export async function listAccountCustomers(
  db: Database,
  accountId: number,
  { fromId, limit, provider }: { fromId: number; limit: number; provider?: string | undefined },
): Promise<AccountCustomer[]> {
  const { billingCustomers: customers, billingSubscriptions: subscriptions } = db.tables;
  const { id, customerId, email, name, isGone } = customers;
  const columns = {
    id,
    provider: customers.provider,
    customerId,
    accountId: customers.accountId,
    email,
    name,
    isGone,
  };
  const onPage = and(gte(id, fromId), provider === undefined ? undefined : eq(customers.provider, provider));
  const [own, paying] = await Promise.all([
    db
      .select(columns)
      .from(customers)
      .where(and(eq(customers.accountId, accountId), onPage))
      .orderBy(asc(id))
      .limit(limit),
    db
      .select(columns)
      .from(subscriptions)
      .innerJoin(
        customers,
        and(eq(customers.provider, subscriptions.provider), eq(customerId, subscriptions.customerId)),
      )
      .where(and(eq(subscriptions.accountId, accountId), onPage))
      .groupBy(id, customers.provider, customerId, customers.accountId, email, name, isGone)
      .orderBy(asc(id))
      .limit(limit),
  ]);
  const distinct = new Map([...own, ...paying].map((row) => [row.id, row]));
  return [...distinct.values()].sort((left, right) => left.id - right.id).slice(0, limit);
}
