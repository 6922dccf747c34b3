/** The state of the account's subscription after a step, when all steps arrive in order. */
export type Standing = 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled';

/** One event of a subscription's life, as the provider would send it. */
export interface LifeStep {
  readonly event: object;
  /** The event's id at the provider. */
  readonly id: string;
  readonly type: string;
  readonly standing: Standing;
}

export interface LifeOptions {
  /** The account that pays. */
  readonly accountId: number;
  /** The start of the life, in epoch milliseconds. Later steps follow it. */
  readonly startMs: number;
  /** Distinguishes lives, as part of every id. Letters and digits. */
  readonly key: string;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const MONTH_MS = 30 * DAY_MS;
