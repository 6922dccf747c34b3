import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../../database-unavailable-error.js';
import { isBusy } from './describe-libsql-error.js';

const LONGEST_PAUSE_MS = 8;

/**
 * Tries until the file is no longer locked by another connection. SQLite's own busy time-out would do the same while
 * blocking the event loop.
 *
 * @throws DatabaseUnavailableError (`busy`) when the lock lasts longer than the time allowed
 */
export async function whileBusy<Answer>(attempt: () => Answer, timeoutMs: number): Promise<Answer> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() - startedMs > timeoutMs)
        throw new DatabaseUnavailableError('busy', { cause: error });
    }
    await pause(randomInt(1, LONGEST_PAUSE_MS + 1));
  }
}
