import { setTimeout as pause } from 'node:timers/promises';
import { AppError, randomId } from '@gatehouse/auth-core';
import {
  type CheckoutLease,
  closeBillingCheckout,
  leaseClosingCheckout,
  releaseClosingCheckout,
} from '@gatehouse/db/queries/billing-checkout';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { change } from '../audit/change.js';
import type { Services } from '../core/context.js';
import { type NotAuthorized, reauthorize } from '../core/guard/guarded.js';
import { PROVIDER_TIMEOUT_MS, providerDeadline } from './ask-provider.js';

/**
 * Long enough for the requests to the providers. If a closing call dies, checkouts are blocked for this long
 * at most.
 */
const LEASE_MS = 3 * PROVIDER_TIMEOUT_MS;

const LOOKS_EVERY_MS = 100;

/**
 * Closes accounts without leaving an open payment page. It reserves their checkouts, so that no other call
 * opens one, ends open ones, and closes the accounts.
 * @param end ends an account's subscriptions at the providers
 * @param close closes the accounts; it calls `confirm` in its transaction
 * @throws {AppError} a refusal; `provider_failed` if another call takes long to open a checkout,
 * `unavailable` if the reservation was lost, and as `end` and `close` do. The accounts then stay open
 */
export async function closeWithPayments<Extra extends object, Result>(
  ctx: NotAuthorized<Extra>,
  accountIds: readonly number[],
  end: (services: Services, accountId: number) => Promise<void>,
  close: (confirm: (tx: AccessTransaction) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const { services } = ctx;
  const leases: CheckoutLease[] = [];
  try {
    // Any of the accounts may refuse the caller. Until all are leased, nothing has ended.
    for (const accountId of accountIds) leases.push(await leaseCheckout(ctx, accountId));
    for (const accountId of accountIds) {
      await reauthorize(ctx);
      await end(services, accountId);
    }
    return await close(async (tx) => {
      for (const lease of leases) {
        const after = { nextAttemptKey: randomId(), nowMs: services.now() };
        const isOurs = await closeBillingCheckout(tx, lease, after);
        if (!isOurs) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      }
    });
  } catch (failure) {
    await Promise.allSettled(leases.map((lease) => releaseClosingCheckout(services.db, lease)));
    throw failure;
  }
}

async function leaseCheckout<Extra extends object>(
  ctx: NotAuthorized<Extra>,
  accountId: number,
): Promise<CheckoutLease> {
  const deadline = providerDeadline();
  const lease = { accountId, leaseToken: randomId() };
  for (;;) {
    const isLeased = await change(ctx, { share: { accounts: [accountId] } }, ({ tx, nowMs }) =>
      leaseClosingCheckout(tx, lease, { attemptKey: randomId(), leaseUntilMs: nowMs + LEASE_MS, nowMs }),
    );
    if (isLeased) return lease;
    if (performance.now() >= deadline.atMs)
      throw new AppError('provider_failed', { detail: 'a checkout is being opened' });
    await pause(LOOKS_EVERY_MS);
  }
}
