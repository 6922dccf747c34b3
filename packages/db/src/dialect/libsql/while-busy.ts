import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../../database-unavailable-error.js';
import { isBusy } from './describe-libsql-error.js';

const LONGEST_PAUSE_MS = 8;

/**
 * Retries until no other connection locks the file. SQLite's own busy time-out would block the event loop.
 * @param deadlineMs monotonic; no attempt but the first begins after it
 * @throws DatabaseUnavailableError (`busy`) when the lock lasts longer than the time allowed
 */
export async function whileBusy<Answer>(attempt: () => Answer, deadlineMs: number): Promise<Answer> {
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      const pauseMs = randomInt(1, LONGEST_PAUSE_MS + 1);
      if (!isBusy(error)) throw error;
      if (performance.now() + pauseMs >= deadlineMs)
        throw new DatabaseUnavailableError('busy', { cause: error });
      await pause(pauseMs);
      if (performance.now() >= deadlineMs) throw new DatabaseUnavailableError('busy', { cause: error });
    }
  }
}
