import { graceEndsAtMs, subscriptionAt } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db/queries/find-account-state';
import { z } from 'zod';
import type { Services } from './context.js';

const maybeInstant = z.iso.datetime().nullable();

/** An account's paid state at the moment it is read. Products check `active`. */
export const currentSubscriptionView = z
  .object({
    state: z.enum(['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']),
    /** Whether it includes paid features: `past_due` does for some days, `canceled` until the period ends. */
    active: z.boolean(),
    trialEndsAt: maybeInstant,
    periodEndsAt: maybeInstant,
    cancelAt: maybeInstant,
    /** When the days of grace of a `past_due` one end; null for any other. */
    graceEndsAt: maybeInstant,
    /** Whether the provider collects no payments for now, although the subscription stays active. */
    collectionPaused: z.boolean(),
    /** The provider's ids of the prices that are paid beside the plan. */
    addOns: z.array(z.string()),
  })
  .meta({ id: 'CurrentSubscription' });

type CurrentSubscriptionView = z.output<typeof currentSubscriptionView>;

const DAY_MS = 86_400_000;

/** The current subscription state of an account. */
export function currentSubscription(
  { config, now }: Pick<Services, 'config' | 'now'>,
  account: Pick<AccountState, 'subscription'>,
): CurrentSubscriptionView {
  const { subscription } = account;
  const graceMs = config.PAST_DUE_GRACE_DAYS * DAY_MS;
  const { state, active } = subscriptionAt(subscription, {
    nowMs: now(),
    graceMs,
    pauseEndsAccess: config.BILLING_PAUSE_ENDS_ACCESS,
  });
  return {
    state,
    active,
    trialEndsAt: isoOrNull(subscription?.trialEndsAtMs),
    periodEndsAt: isoOrNull(subscription?.periodEndsAtMs),
    cancelAt: isoOrNull(subscription?.cancelAtMs),
    graceEndsAt: isoOrNull(subscription && graceEndsAtMs(subscription, graceMs)),
    collectionPaused: subscription?.isCollectionPaused ?? false,
    addOns: [...(subscription?.addOns ?? [])],
  };
}

function isoOrNull(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}
