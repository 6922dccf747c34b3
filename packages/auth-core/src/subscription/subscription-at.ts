/** The subscription state of an account. */
export type SubscriptionState = 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled' | 'expired';

/** The latest recorded subscription; times in epoch milliseconds. */
export interface StoredSubscription {
  readonly state: SubscriptionState;
  /** Null while the account only has its registration trial. */
  readonly provider: string | null;
  readonly trialEndsAtMs: number | null;
  readonly periodEndsAtMs: number | null;
  readonly pastDueAtMs: number | null;
  /** Whether the provider collects no payments for now; null for no. */
  readonly isCollectionPaused: boolean | null;
}

/** The value of a subscription at a moment. */
export interface SubscriptionNow {
  readonly state: SubscriptionState;
  /** Whether it includes paid features. */
  readonly active: boolean;
}

/**
 * The state of a subscription at a moment. A trial ends exactly on time. A past-due one stays active for `graceMs`, a canceled
 * one until the end of the paid period.
 * @param stored null if there never was one, which is regarded as expired
 * @param pauseEndsAccess whether an active one ends while its payments are not collected
 */
export function subscriptionAt(
  stored: StoredSubscription | null,
  { nowMs, graceMs, pauseEndsAccess }: { nowMs: number; graceMs: number; pauseEndsAccess: boolean },
): SubscriptionNow {
  if (stored === null) return { state: 'expired', active: false };
  const { state, provider, trialEndsAtMs, periodEndsAtMs, isCollectionPaused } = stored;
  if (pauseEndsAccess && isCollectionPaused === true && state !== 'canceled') return { state, active: false };
  switch (state) {
    case 'trialing': {
      if (provider !== null) return { state, active: true };
      const isRunning = trialEndsAtMs !== null && nowMs < trialEndsAtMs;
      return isRunning ? { state, active: true } : { state: 'expired', active: false };
    }
    case 'active':
      return { state, active: true };
    case 'past_due': {
      const endsAtMs = graceEndsAtMs(stored, graceMs);
      return { state, active: endsAtMs !== null && nowMs < endsAtMs };
    }
    case 'canceled':
      return { state, active: periodEndsAtMs !== null && nowMs < periodEndsAtMs };
    case 'paused':
    case 'expired':
      return { state, active: false };
  }
}

/** When a past-due subscription stops including paid features; null for any other, and if the missed payment has no date. */
export function graceEndsAtMs(
  { state, pastDueAtMs }: Pick<StoredSubscription, 'state' | 'pastDueAtMs'>,
  graceMs: number,
): number | null {
  return state === 'past_due' && pastDueAtMs !== null ? pastDueAtMs + graceMs : null;
}
