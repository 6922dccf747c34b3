import { setTimeout as pause } from 'node:timers/promises';
import { AppError, randomId } from '@gatehouse/auth-core';
import {
  findBillingCheckout,
  type OpenCheckout,
  releaseBillingCheckout,
  setOpenCheckout,
} from '@gatehouse/db/queries/billing-checkout';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import type { Services } from '../core/context.js';
import { reauthorize } from '../core/guard/guarded.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { isUnanswered, type ProviderDeadline, providerDeadline } from './ask-provider.js';
import { type CheckoutAttempt, openAtProvider } from './open-at-provider.js';
import { requirePlan } from './plans.js';
import { type Reservation, reserveCheckout } from './reserve-checkout.js';

const MAX_PER_HOUR = 10;

const HOUR_MS = 3_600_000;

const LOOKS_EVERY_MS = 100;

/**
 * Opens the payment page of a plan. An account has at most one open checkout: callers for the same plan get
 * the same URL, and a request for another plan ends the first checkout.
 */
export const checkout = accountProcedure('billing.manage', { inPerson: true })
  .meta({
    about: {
      summary: 'Open the page on which an account pays for a plan',
      refuses: ['provider_not_configured', 'subscribed', 'provider_failed', 'rate_limited'],
    },
  })
  .input(z.object({ plan: z.string().max(60) }))
  .output(
    z.object({
      message: z.string(),
      data: z.object({ url: z.url(), expiresAt: z.iso.datetime() }),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { services, account, caller } = ctx;
    const offer = requirePlan(services, input.plan);
    const { plan } = offer;
    await enforceLimit(services, {
      key: `billing-checkout:account:${account.id}`,
      name: 'billing-checkout',
      most: MAX_PER_HOUR,
      windowMs: HOUR_MS,
    });
    const profile = await services.access.profile(caller.member);
    const isConfirmed = (profile?.emailConfirmedAtMs ?? null) !== null;
    const email = isConfirmed ? (profile?.email ?? undefined) : undefined;

    const reserve = () =>
      changeAndRecord(ctx, {}, async ({ tx, nowMs }) => {
        const reservation = await reserveCheckout(tx, { accountId: account.id, plan, nowMs });
        return {
          result: reservation,
          record:
            reservation.kind === 'own'
              ? {
                  action: 'checkout.started',
                  accountId: account.id,
                  subjectKind: 'account',
                  subjectId: account.id,
                  before: null,
                  after: { plan: plan.key },
                }
              : undefined,
        };
      });
    const open = await settle(services, account.id, reserve, (own) =>
      openReserved(services, own, { accountId: account.id, offer, email }),
    );
    // The provider may have been slow.
    await reauthorize(ctx);
    return {
      message: 'The checkout is open',
      data: { url: open.url, expiresAt: new Date(open.expiresAtMs).toISOString() },
    };
  });

type OwnReservation = Extract<Reservation, { kind: 'own' }>;

/** Reserves until a checkout is open, by this call or another. */
async function settle(
  services: Services,
  accountId: number,
  reserve: () => Promise<Reservation>,
  openOwn: (own: OwnReservation) => Promise<OpenCheckout | undefined>,
): Promise<OpenCheckout> {
  const deadline = providerDeadline();
  for (;;) {
    const reservation = await reserve();
    if (reservation.kind === 'open') return reservation.checkout;
    const opened = reservation.kind === 'own' ? await openOwn(reservation) : undefined;
    if (opened) return opened;
    await untilFree(services, accountId, deadline);
  }
}

/** @throws {AppError} `provider_failed` if another call takes longer than the provider's time limit */
async function untilFree(
  { db, now }: Services,
  accountId: number,
  deadline: ProviderDeadline,
): Promise<void> {
  for (;;) {
    if (performance.now() >= deadline.atMs) throw new AppError('provider_failed');
    const row = await findBillingCheckout(db, accountId);
    if (row === undefined || row.leaseUntilMs === null || row.leaseUntilMs <= now()) return;
    await pause(LOOKS_EVERY_MS);
  }
}

/** Opens the checkout that this call reserved. Undefined if another call has taken it over. */
async function openReserved(
  services: Services,
  { leaseToken, attemptKey, previous }: OwnReservation,
  { accountId, offer, email }: Pick<CheckoutAttempt, 'accountId' | 'offer' | 'email'>,
): Promise<OpenCheckout | undefined> {
  const { db, now } = services;
  const lease = { accountId, leaseToken };
  const opening = openAtProvider(services, { accountId, offer, attemptKey, previous, email });
  const open = await opening.catch(async (failure: unknown) => {
    // An attempt with an unknown outcome is retried under the same key.
    const nextAttemptKey = isUnanswered(failure) ? undefined : randomId();
    await releaseBillingCheckout(db, lease, { nextAttemptKey, nowMs: now() });
    throw failure;
  });
  const isOurs = await setOpenCheckout(db, lease, { ...open, nextAttemptKey: randomId(), nowMs: now() });
  return isOurs ? open : undefined;
}
