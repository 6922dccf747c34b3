import type { AccountPage } from './account-page.js';

const DAY_MS = 86_400_000;
/** The service takes 90 days at most. */
const DAYS = [7, 14, 30, 60, 90] as const;

/** States of a provider's subscription that is not over. */
const RUNNING: readonly string[] = ['trialing', 'active', 'past_due', 'paused'];

/** When the trial of an account may end instead, later by a day at least; nothing where a provider is paid. */
export function trialEnds({ subscription }: AccountPage, nowMs: number): readonly number[] {
  if (isPaid(subscription)) return [];
  const presentMs =
    subscription?.active === true && subscription.trialEndsAt !== null
      ? Date.parse(subscription.trialEndsAt)
      : 0;
  return DAYS.map((days) => nowMs + days * DAY_MS).filter((endsAtMs) => endsAtMs > presentMs + DAY_MS);
}

/** Whether a provider has a subscription of the account that is not over. */
export function isPaid(subscription: AccountPage['subscription']): boolean {
  if (subscription === null || subscription.provider === null) return false;
  return subscription.active || RUNNING.includes(subscription.state);
}

/** Whether the trial of an account can be extended. */
export const hasTrialAhead = (page: AccountPage): boolean => trialEnds(page, Date.now()).length > 0;
