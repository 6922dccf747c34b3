import type { Database } from '@gatehouse/db/database';
import { isOutage } from '@gatehouse/db/database-errors';
import { touchSessions } from '@gatehouse/db/queries/change-session';
import type { Logger } from '@gatehouse/runtime/log/log';

export interface SessionActivity {
  /** Records that a session was used, without a database call. */
  note(sessionId: number): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** The precision of "last seen", in milliseconds. */
const GRAIN_MS = 60_000;

/** Collects the sessions used and writes them once a minute, in one statement. */
export function createSessionActivity(
  db: Database,
  options: { now: () => number; log: Logger; everyMs?: number },
): SessionActivity {
  let seen = new Set<number>();

  async function flush(): Promise<void> {
    if (seen.size === 0) return;
    const sessionIds = [...seen];
    seen = new Set();
    await touchSessions(db, sessionIds, options.now());
  }

  const timer = setInterval(() => {
    flush().catch((error: unknown) => {
      if (!isOutage(error)) options.log.failure('session activity', error);
    });
  }, options.everyMs ?? GRAIN_MS);
  timer.unref();

  return {
    note: (sessionId) => void seen.add(sessionId),
    flush,
    async close() {
      clearInterval(timer);
      await flush().catch(() => undefined);
    },
  };
}
