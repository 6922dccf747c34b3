import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailableError } from './database-unavailable-error.js';
import { TransactionConflictError } from './transaction-conflict-error.js';

const ATTEMPTS = 12;
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 400;

/**
 * Runs an attempt until it meets no conflict, pausing a random and growing while in between.
 *
 * @throws DatabaseUnavailableError (`busy`) after a dozen conflicts in a row
 */
export async function retryOnConflict<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let failures = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TransactionConflictError)) throw error;
      failures += 1;
      if (failures === ATTEMPTS) throw new DatabaseUnavailableError('busy', { cause: error });
      const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
      await pause(randomInt(longest));
    }
  }
}
