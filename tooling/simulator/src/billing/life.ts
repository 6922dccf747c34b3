/** Where the account's subscription stands after a step, when every step is delivered in order. */
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
  /** When the life begins, in epoch milliseconds; later steps lie after it. */
  readonly startMs: number;
  /** Tells one life from another: part of every id. Letters and digits. */
  readonly key: string;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const MONTH_MS = 30 * DAY_MS;
