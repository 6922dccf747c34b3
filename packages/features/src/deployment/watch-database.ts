import type { Database } from '@gatehouse/db/database';
import type { UnavailableReason } from '@gatehouse/db/database-errors';
import { explainUnavailable } from '@gatehouse/db/explain-unavailable';
import type { Logger } from '@gatehouse/runtime/log/log';

const LOOK_EVERY_MS = 1_000;
/** The pause before the same line is logged again. */
const LINE_EVERY_MS = 60_000;

/**
 * Logs while the database is unavailable to its callers: one line a minute per reason, with a count, and one
 * when it works again.
 */
export function watchDatabase(
  db: Pick<Database, 'statistics' | 'ping' | 'isFull'>,
  options: {
    log: Pick<Logger, 'warning' | 'notice'>;
    url: string;
    lookEveryMs?: number;
    monotonicNow?: () => number;
  },
): { close(): void } {
  const { log, url, lookEveryMs = LOOK_EVERY_MS, monotonicNow = () => performance.now() } = options;
  const logged = new Map<UnavailableReason, { count: number; atMs: number }>();
  let away: { readonly sinceMs: number } | undefined;
  let seen = 0;
  const look = setInterval(() => {
    const nowMs = monotonicNow();
    let met = 0;
    for (const [reason, { count, code }] of db.statistics.unavailable) {
      met += count;
      const last = logged.get(reason);
      if (last !== undefined && (count === last.count || nowMs - last.atMs < LINE_EVERY_MS)) continue;
      logged.set(reason, { count, atMs: nowMs });
      // An answer of the database does not mean that all its tables exist.
      if (reason !== 'unmigrated') away ??= { sinceMs: nowMs };
      log.warning('database.unavailable', {
        reason,
        count: count - (last?.count ?? 0),
        detail: explainUnavailable({ reason, code }, url),
      });
    }
    if (away !== undefined && met === seen && !db.isFull()) void tellBack(away);
    seen = met;
  }, lookEveryMs);
  look.unref();

  async function tellBack(since: { readonly sinceMs: number }): Promise<void> {
    const answers = await db.ping().then(
      () => true,
      () => false,
    );
    if (!answers || away !== since) return;
    away = undefined;
    let count = 0;
    for (const [reason, last] of logged) {
      const now = db.statistics.unavailable.get(reason)?.count ?? last.count;
      count += now - last.count;
      logged.set(reason, { count: now, atMs: last.atMs });
    }
    log.notice('database.available', { count, durationMs: Math.round(monotonicNow() - since.sinceMs) });
  }

  return { close: () => clearInterval(look) };
}
