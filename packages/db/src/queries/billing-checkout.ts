import { and, eq, isNull, lte, or } from 'drizzle-orm';
import type { Database } from '../database.js';

/** The checkout of an account: an attempt to open one, and the open one. */
export interface BillingCheckoutRow {
  provider: string;
  priceId: string;
  /** Part of every idempotency key this attempt sends to the provider. */
  attemptKey: string;
  /** When the lease of the call that opens a checkout ends; null without one. */
  leaseUntilMs: number | null;
  openProvider: string | null;
  openPriceId: string | null;
  checkoutId: string | null;
  url: string | null;
  expiresAtMs: number | null;
  /** When the provider last said that it is open. */
  checkedAtMs: number | null;
}

/** A checkout that the provider has opened. */
export interface OpenCheckout {
  provider: string;
  priceId: string;
  checkoutId: string;
  url: string;
  expiresAtMs: number;
}

/** One call's reservation of an account's checkout. */
export interface CheckoutLease {
  accountId: number;
  leaseToken: string;
}

/** The row of an account that has never had a checkout, while the account closes. */
const NONE_YET = { provider: '', priceId: '' };

/** The checkout of an account, or undefined if it never had one. */
export async function findBillingCheckout(
  db: Database,
  accountId: number,
): Promise<BillingCheckoutRow | undefined> {
  const { billingCheckouts } = db.tables;
  const { provider, priceId, attemptKey, leaseUntilMs, openProvider, openPriceId } = billingCheckouts;
  const { checkoutId, url, expiresAtMs, checkedAtMs } = billingCheckouts;
  const [row] = await db
    .select({
      provider,
      priceId,
      attemptKey,
      leaseUntilMs,
      openProvider,
      openPriceId,
      checkoutId,
      url,
      expiresAtMs,
      checkedAtMs,
    })
    .from(billingCheckouts)
    .where(eq(billingCheckouts.accountId, accountId));
  return row;
}

/**
 * Reserves the checkout of an account for one call. If an earlier call died, the next one continues its
 * attempt under the same key.
 * @returns whether this call has the reservation
 */
export async function leaseBillingCheckout(
  tx: Database,
  attempt: {
    accountId: number;
    provider: string;
    priceId: string;
    attemptKey: string;
    leaseToken: string;
    leaseUntilMs: number;
    nowMs: number;
  },
): Promise<boolean> {
  const { billingCheckouts } = tx.tables;
  const { accountId, provider, priceId, attemptKey, leaseToken, leaseUntilMs, nowMs } = attempt;
  const isFree = or(isNull(billingCheckouts.leaseUntilMs), lte(billingCheckouts.leaseUntilMs, nowMs));
  const taken = await tx.write(
    tx
      .update(billingCheckouts)
      .set({ provider, priceId, leaseToken, leaseUntilMs, updatedAtMs: nowMs })
      .where(and(eq(billingCheckouts.accountId, accountId), isFree)),
  );
  if (taken > 0) return true;
  return tx.insertOnce(billingCheckouts, {
    accountId,
    provider,
    priceId,
    attemptKey,
    leaseToken,
    leaseUntilMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  });
}

/**
 * Reserves the checkout of an account for a call that closes the account, so that none is opened meanwhile.
 * @returns whether this call has the reservation
 */
export async function leaseClosingCheckout(
  db: Database,
  lease: CheckoutLease,
  { attemptKey, leaseUntilMs, nowMs }: { attemptKey: string; leaseUntilMs: number; nowMs: number },
): Promise<boolean> {
  const { billingCheckouts } = db.tables;
  const isFree = or(isNull(billingCheckouts.leaseUntilMs), lte(billingCheckouts.leaseUntilMs, nowMs));
  const taken = await db.write(
    db
      .update(billingCheckouts)
      .set({ leaseToken: lease.leaseToken, leaseUntilMs })
      .where(and(eq(billingCheckouts.accountId, lease.accountId), isFree)),
  );
  if (taken > 0) return true;
  const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
  return db.insertOnce(billingCheckouts, { ...NONE_YET, attemptKey, leaseUntilMs, ...lease, ...times });
}

/** Releases the reservation of `leaseClosingCheckout` if the account stays open. */
export async function releaseClosingCheckout(db: Database, lease: CheckoutLease): Promise<void> {
  const { billingCheckouts } = db.tables;
  const { accountId, leaseToken, provider } = billingCheckouts;
  const isOurs = and(eq(accountId, lease.accountId), eq(leaseToken, lease.leaseToken));
  await db.write(db.delete(billingCheckouts).where(and(isOurs, eq(provider, NONE_YET.provider))));
  await db.write(db.update(billingCheckouts).set({ leaseToken: null, leaseUntilMs: null }).where(isOurs));
}

/** Records what a call opened, and ends its lease. False if another call has taken the attempt over. */
export function setOpenCheckout(
  db: Database,
  { accountId, leaseToken }: CheckoutLease,
  open: OpenCheckout & { nextAttemptKey: string; nowMs: number },
): Promise<boolean> {
  return endLease(
    db,
    { accountId, leaseToken },
    {
      attemptKey: open.nextAttemptKey,
      openProvider: open.provider,
      openPriceId: open.priceId,
      checkoutId: open.checkoutId,
      url: open.url,
      expiresAtMs: open.expiresAtMs,
      checkedAtMs: open.nowMs,
      updatedAtMs: open.nowMs,
    },
  );
}

/**
 * Ends the lease of a call that opened nothing.
 * @param nextAttemptKey set if the provider has answered, so that the next call makes a new attempt
 */
export function releaseBillingCheckout(
  db: Database,
  { accountId, leaseToken }: CheckoutLease,
  { nextAttemptKey, nowMs }: { nextAttemptKey: string | undefined; nowMs: number },
): Promise<boolean> {
  return endLease(
    db,
    { accountId, leaseToken },
    {
      updatedAtMs: nowMs,
      ...(nextAttemptKey === undefined ? {} : { attemptKey: nextAttemptKey }),
    },
  );
}

/**
 * Removes a checkout that its provider has ended, with the lease. False if another call has taken it over.
 */
export function closeBillingCheckout(
  tx: Database,
  lease: CheckoutLease,
  { nextAttemptKey, nowMs }: { nextAttemptKey: string; nowMs: number },
): Promise<boolean> {
  return endLease(tx, lease, {
    attemptKey: nextAttemptKey,
    openProvider: null,
    openPriceId: null,
    checkoutId: null,
    url: null,
    expiresAtMs: null,
    checkedAtMs: null,
    updatedAtMs: nowMs,
  });
}

async function endLease(
  db: Database,
  { accountId, leaseToken }: CheckoutLease,
  change: Partial<Database['tables']['billingCheckouts']['$inferInsert']>,
): Promise<boolean> {
  const { billingCheckouts } = db.tables;
  const ended = await db.write(
    db
      .update(billingCheckouts)
      .set({ leaseToken: null, leaseUntilMs: null, ...change })
      .where(and(eq(billingCheckouts.accountId, accountId), eq(billingCheckouts.leaseToken, leaseToken))),
  );
  return ended > 0;
}
