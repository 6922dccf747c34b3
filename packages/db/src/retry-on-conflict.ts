import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Allowance } from './create-allowance.js';
import { DatabaseUnavailableError } from './database-unavailable-error.js';
import { TransactionConflictError } from './transaction-conflict-error.js';

const ATTEMPTS = 12;
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 400;

/**
 * Retries an attempt on conflict, with random, growing pauses. All attempts share one deadline in monotonic
 * milliseconds.
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
      // After a conflict the server has answered. The wait was for a locked row, which does not affect other
      // operations.
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
