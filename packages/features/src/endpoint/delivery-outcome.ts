import { randomInt } from 'node:crypto';
import type { ClaimedDelivery, DeliveryOutcome } from '@gatehouse/db/queries/event-deliveries';
import { isSuccess, type Sent } from './send-event.js';

const MINUTE_MS = 60_000;

const HOUR_MS = 3_600_000;

/** The waits after the failed attempts of a delivery; the last one repeats. */
const WAITS_MS = [
  5_000,
  30_000,
  ...[2, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
];

/** A fifth more or less, so that what failed together is not sent again together. */
const PER_MILLE = { from: 800, until: 1201 };

/** A delivery is given up if its next attempt would come later than this. */
const GIVEN_UP_AFTER_MS = 72 * HOUR_MS;

const ATTEMPTS_KEPT = 20;

/** The state of a delivery after an attempt, or without one if it may no longer be sent. */
export function outcomeOf(
  { id, failures, attempts, queuedAtMs }: ClaimedDelivery,
  sent: Sent | undefined,
  nowMs: number,
): DeliveryOutcome {
  if (sent === undefined) return { id, state: 'skipped', failures, attempts };
  const { retryAfterMs = 0, ...made } = sent;
  const all = [...attempts, made].slice(-ATTEMPTS_KEPT);
  if (isSuccess(sent)) return { id, state: 'delivered', failures, attempts: all, deliveredAtMs: nowMs };
  const failed = { id, failures: failures + 1, attempts: all };
  const dueAtMs = nowMs + Math.max(retryWaitMs(failures + 1), retryAfterMs);
  if (dueAtMs > queuedAtMs + GIVEN_UP_AFTER_MS) return { ...failed, state: 'failed' };
  return { ...failed, state: 'pending', dueAtMs };
}

/**
 * The wait before the next attempt, in milliseconds.
 * @param failures of the delivery so far, from 1
 */
export function retryWaitMs(failures: number): number {
  const waitMs = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? 0;
  return Math.round((waitMs * randomInt(PER_MILLE.from, PER_MILLE.until)) / 1000);
}
