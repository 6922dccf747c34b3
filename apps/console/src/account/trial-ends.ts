import type { AccountPage } from './account-page.js';

const DAY_MS = 86_400_000;
/** The service takes 90 days at most. */
const DAYS = [7, 14, 30, 60, 90] as const;

/** When the trial of an account may end instead, later by a day at least. */
export function trialEnds({ subscription }: AccountPage, nowMs: number): readonly number[] {
  const presentMs =
    subscription?.active === true && subscription.trialEndsAt !== null
      ? Date.parse(subscription.trialEndsAt)
      : 0;
  return DAYS.map((days) => nowMs + days * DAY_MS).filter((endsAtMs) => endsAtMs > presentMs + DAY_MS);
}

/** Whether the trial of an account can be extended, and by a day at least. */
export const hasTrialAhead = (page: AccountPage): boolean =>
  page.actions.includes('extendTrial') && trialEnds(page, Date.now()).length > 0;
