import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Allowance } from './create-allowance.js';
import { DatabaseUnavailableError } from './database-unavailable-error.js';
import { TransactionConflictError } from './transaction-conflict-error.js';

const ATTEMPTS = 12;
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 400;

/**
 * Runs an attempt until it meets no conflict, pausing a random and growing while in between. All attempts have one
 * deadline, which each is told, in monotonic milliseconds.
 *
 * @throws DatabaseUnavailableError (`busy`) after a dozen conflicts in a row, or when the time is over
 */
export async function retryOnConflict<Result>(
  attempt: (deadlineMs: number) => Promise<Result>,
  budgetMs: number,
  allowance: Allowance,
): Promise<Result> {
  const startedMs = performance.now();
  const deadlineMs = startedMs + allowance.msFor(budgetMs);
  for (let failures = 0; ; ) {
    try {
      return await attempt(deadlineMs);
    } catch (error) {
      // After a conflict the server has answered: it was a row that somebody held, which is nothing to the others.
      if (error instanceof DatabaseUnavailableError && failures === 0) allowance.fail(startedMs);
      if (!(error instanceof TransactionConflictError)) throw error;
      failures += 1;
      const pauseMs = randomInt(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures));
      if (failures === ATTEMPTS || performance.now() + pauseMs >= deadlineMs)
        throw new DatabaseUnavailableError('busy', { cause: error });
      await pause(pauseMs);
    }
  }
}
