import type { SubscriptionRow } from '@gatehouse/db';
import { z } from 'zod';
import { trialStanding } from '../account-subscription.js';
import { BILLING_PROVIDERS } from '../billing-provider.js';

const state = z.enum(['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']);
const maybeInstant = z.iso.datetime().nullable();

/** The single subscription of an account, at the moment it is read. */
export const subscriptionView = z.object({
  state,
  /** Null while the account only has its registration trial. */
  provider: z.string().nullable(),
  plan: z.string().nullable(),
  trialEndsAt: maybeInstant,
  periodEndsAt: maybeInstant,
  cancelAt: maybeInstant,
});

/** One subscription of a customer at a provider, or the trial (`trial`, without a provider). */
export const listedSubscriptionView = z.object({
  id: z.string(),
  provider: z.enum(BILLING_PROVIDERS).nullable(),
  customer: z
    .object({ id: z.string(), email: z.string().nullable(), name: z.string().nullable() })
    .nullable(),
  state,
  plan: z.string().nullable(),
  startedAt: maybeInstant,
  periodEndsAt: maybeInstant,
  cancelAt: maybeInstant,
});

export type SubscriptionView = z.output<typeof subscriptionView>;
export type ListedSubscriptionView = z.output<typeof listedSubscriptionView>;

export function toSubscriptionView(row: SubscriptionRow, nowMs: number): SubscriptionView {
  const isTrial = row.provider === null && row.state === 'trialing';
  return {
    state: isTrial ? trialStanding({ ...row, nowMs }) : row.state,
    provider: row.provider,
    plan: row.plan,
    trialEndsAt: isoOrNull(row.trialEndsAtMs),
    periodEndsAt: isoOrNull(row.periodEndsAtMs),
    cancelAt: isoOrNull(row.cancelAtMs),
  };
}

/** A registration trial, as a line of the list. */
export function toListedTrial(subscription: SubscriptionView): ListedSubscriptionView {
  return {
    id: 'trial',
    provider: null,
    customer: null,
    state: subscription.state,
    plan: null,
    startedAt: null,
    periodEndsAt: subscription.trialEndsAt,
    cancelAt: null,
  };
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
