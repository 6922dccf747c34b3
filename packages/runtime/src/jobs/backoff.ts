import { randomInt } from 'node:crypto';

/** Limits of the waits between attempts, in milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** A fifth more or less, so that work which failed together is not retried together. */
const PER_MILLE_FROM = 800;
const PER_MILLE_UNTIL = 1200;

/**
 * The wait before the next attempt, in milliseconds. It begins with the first one and doubles with each
 * further failure up to the longest, with jitter.
 * @param failures in a row, from 1
 */
export function backoffMs({ firstMs, longestMs }: Backoff, failures: number): number {
  const waitMs = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return Math.round((waitMs * randomInt(PER_MILLE_FROM, PER_MILLE_UNTIL + 1)) / 1000);
}
