import { isGatehouseError } from './errors.js';

export interface RetryPolicy {
  /** How often a call is tried in all; 3 unless said otherwise. */
  tries: number;
  /** The longest wait before another try, 10 s unless said otherwise; a refusal that asks for more is final. */
  longestWaitMs: number;
}

export interface FailedTry {
  readonly error: unknown;
  /** Whether repeating the call does no harm: true of every query. */
  readonly isRepeatable: boolean;
  /** How often it has been tried. */
  readonly tries: number;
  /** A random number from 0 up to 1, so that not everybody comes back at the same moment. */
  readonly random: number;
}

const FIRST_WAIT_MS = 250;

/**
 * How long to wait before a failed call is tried again, undefined to give up. `rate_limited` is decided before
 * anything is done, so any call may come back. `unavailable` and a broken connection may come after a write was done:
 * only what may be repeated is. No wait is shorter than the service asks for.
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

/** `fetch` rejects with a TypeError when there is no answer, and ours when a gateway answered instead. */
function isUnreached(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof TypeError;
}
