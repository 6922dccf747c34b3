import { type Database, explainUnavailable } from '@gatehouse/db';
import type { Logger } from '@gatehouse/runtime/log/log';

const LOOK_EVERY_MS = 1_000;
/** How long the next line about the same waits. */
const LINE_EVERY_MS = 60_000;

/** Writes a line while the database is unavailable to whoever asks it: one a minute for each reason, with how often. */
export function watchDatabase(
  db: Pick<Database, 'statistics'>,
  options: {
    log: Pick<Logger, 'warning'>;
    url: string;
    lookEveryMs?: number;
    monotonicNow?: () => number;
  },
): { close(): void } {
  const { log, url, lookEveryMs = LOOK_EVERY_MS, monotonicNow = () => performance.now() } = options;
  const told = new Map<string, { count: number; atMs: number }>();
  const look = setInterval(() => {
    const nowMs = monotonicNow();
    for (const [reason, { count, code }] of db.statistics.unavailable) {
      const last = told.get(reason);
      if (last !== undefined && (count === last.count || nowMs - last.atMs < LINE_EVERY_MS)) continue;
      told.set(reason, { count, atMs: nowMs });
      log.warning('database.unavailable', {
        reason,
        count: count - (last?.count ?? 0),
        detail: explainUnavailable({ reason, code }, url),
      });
    }
  }, lookEveryMs);
  look.unref();
  return { close: () => clearInterval(look) };
}
