import { isGatehouseError, isUnreached } from './errors.js';

export interface RetryPolicy {
  /** The total number of attempts; 3 by default. */
  tries: number;
  /**
   * The longest wait before a retry; 10 s by default. A refusal that asks for a longer wait is not retried.
   */
  longestWaitMs: number;
}

export interface FailedTry {
  readonly error: unknown;
  /** Whether the call is safe to repeat; true for every query. */
  readonly isRepeatable: boolean;
  /** The number of tries so far. */
  readonly tries: number;
  /** A random number from 0 up to 1, so that clients do not all retry at the same moment. */
  readonly random: number;
}

const FIRST_WAIT_MS = 250;

/**
 * How long to wait before a retry; undefined to give up. `rate_limited` is sent before anything is done, so
 * any call may be retried. `unavailable` and a lost connection may follow a successful write, so only
 * repeatable calls are retried. No wait is shorter than the service asks for.
 */
export function retryWaitMs(
  { error, isRepeatable, tries, random }: FailedTry,
  { tries: mostTries, longestWaitMs }: RetryPolicy,
): number | undefined {
  if (tries >= mostTries || !mayTryAgain(error, isRepeatable)) return undefined;
  const askedSeconds = isGatehouseError(error) ? error.data.retryAfterSeconds : undefined;
  const waitMs = askedSeconds === undefined ? FIRST_WAIT_MS * 2 ** (tries - 1) : askedSeconds * 1000;
  return waitMs > longestWaitMs ? undefined : waitMs * (1 + random / 4);
}

function mayTryAgain(error: unknown, isRepeatable: boolean): boolean {
  if (isGatehouseError(error)) {
    const { reason } = error.data;
    return reason === 'rate_limited' || (reason === 'unavailable' && isRepeatable);
  }
  return isRepeatable && isUnreached(error);
}
