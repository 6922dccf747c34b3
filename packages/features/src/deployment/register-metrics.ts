import type { UnavailableReason } from '@gatehouse/db/database-errors';
import { countDeliveryBacklog } from '@gatehouse/db/queries/delivery-log';
import { countMailBacklog } from '@gatehouse/db/queries/mail-queue';
import { countWebhookBacklog } from '@gatehouse/db/queries/process-webhooks';
import { databaseProblem } from '@gatehouse/http/rest/machine-endpoints';
import type { Figure, Metrics } from '@gatehouse/runtime/metrics/create-metrics';
import { createShared } from '@gatehouse/runtime/metrics/create-metrics';
import type { Services } from '../core/context.js';

type Told = Pick<Services, 'access' | 'db' | 'limits' | 'now' | 'passwords' | 'searches'>;

/** All of them, so that each has a counter from the start. */
const NEVER_UNAVAILABLE: Readonly<Record<UnavailableReason, number>> = {
  refused: 0,
  lost: 0,
  timeout: 0,
  overloaded: 0,
  denied: 0,
  full: 0,
  busy: 0,
  unmigrated: 0,
  closed: 0,
};

/** Adds the services' own metrics, and those read from the database. */
export function registerMetrics(
  metrics: Metrics,
  { access, db, limits, now, passwords, searches }: Told,
): void {
  metrics.gauge(
    figure('gatehouse_password_hash_running', 'Passwords being hashed now'),
    () => passwords.load().running,
  );
  metrics.gauge(
    figure('gatehouse_password_hash_queue', 'Passwords waiting to be hashed'),
    () => passwords.load().waiting,
  );
  metrics.counter(
    figure('gatehouse_password_hash_shed_total', 'Passwords refused because too many were waiting'),
    () => passwords.load().shed,
  );
  metrics.counter(
    figure('gatehouse_search_shed_total', 'Searches refused because too many were waiting'),
    () => searches.load.shed,
  );
  metrics.counter(
    figure('gatehouse_access_checks_total', 'Guarded requests that asked who the caller is now'),
    () => access.statistics.checks,
  );
  metrics.counter(
    figure(
      'gatehouse_access_change_reads_total',
      'Reads of the log of access changes; one may serve many checks',
    ),
    () => access.statistics.changeReads,
  );
  metrics.counter(
    figure(
      'gatehouse_access_losses_total',
      'How often this node forgot all it remembered, because the log of access changes did not show itself complete',
    ),
    () => access.statistics.losses,
  );
  metrics.counter(
    figure('gatehouse_access_loads_total', 'Reads of members, tokens and accounts that were not in memory'),
    () => access.statistics.loads,
  );
  metrics.gauge(
    figure('gatehouse_limits_shared', '1 while the counts of limits are shared with the other nodes'),
    () => (limits.isShared() ? 1 : 0),
  );

  metrics.gauge(
    figure(
      'gatehouse_access_read_age_seconds',
      'Time since this node last read the log of access changes to its end, which it does every 15 seconds at least',
    ),
    () => (performance.now() - access.statistics.readAtMs) / 1000,
  );
  metrics.gauge(
    figure('gatehouse_ready', '1 while the database lets this node take traffic, as /readyz says'),
    async () => ((await databaseProblem(db)) === undefined ? 1 : 0),
  );
  metrics.gauge(
    figure('gatehouse_clock_seconds', "This node's clock, in seconds since 1970"),
    () => now() / 1000,
  );
  metrics.counters(
    {
      name: 'gatehouse_database_unavailable_total',
      help: 'Statements and transactions of this node that the database was unavailable to, by reason',
      label: 'reason',
    },
    () => {
      const counts = { ...NEVER_UNAVAILABLE };
      for (const [reason, { count }] of db.statistics.unavailable) counts[reason] = count;
      return counts;
    },
  );
  if (db.poolLoad() !== undefined) {
    const pool = (name: string, help: string, of: 'limit' | 'inUse' | 'waiting') =>
      metrics.gauge(figure(name, help), () => db.poolLoad()?.[of] ?? 0);
    pool('gatehouse_database_connections', 'Connections to the database in use now', 'inUse');
    pool('gatehouse_database_connections_limit', 'The most connections this node opens', 'limit');
    pool('gatehouse_database_waiting', 'Calls that wait for a connection to the database', 'waiting');
  }
  metrics.gauge(
    figure('gatehouse_database_full', '1 while the database has no room for what is written'),
    () => (db.isFull() ? 1 : 0),
  );

  const ageSeconds = (sinceMs: number | null) => (sinceMs === null ? 0 : (now() - sinceMs) / 1000);
  const webhooks = createShared(() => countWebhookBacklog(db));
  metrics.gauge(
    figure('gatehouse_webhook_backlog', 'Stored events whose effect is still to come, on all nodes together'),
    known(async () => (await webhooks()).waiting),
  );
  metrics.gauge(
    figure('gatehouse_webhook_backlog_oldest_seconds', 'How long ago the oldest of them came'),
    known(async () => ageSeconds((await webhooks()).oldestReceivedAtMs)),
  );
  const mails = createShared(() => countMailBacklog(db));
  metrics.gauge(
    figure('gatehouse_mail_backlog', 'Mails still to be delivered, on all nodes together'),
    known(async () => (await mails()).waiting),
  );
  metrics.gauge(
    figure('gatehouse_mail_backlog_oldest_seconds', 'How long ago the oldest of them was written'),
    known(async () => ageSeconds((await mails()).oldestCreatedAtMs)),
  );
  const deliveries = createShared(() => countDeliveryBacklog(db));
  metrics.gauge(
    figure('gatehouse_event_backlog', 'Events still to be delivered to endpoints, on all nodes together'),
    known(async () => (await deliveries()).waiting),
  );
  metrics.gauge(
    figure('gatehouse_event_backlog_oldest_seconds', 'How long ago the oldest of them was queued'),
    known(async () => ageSeconds((await deliveries()).oldestCreatedAtMs)),
  );
}

function figure(name: string, help: string): Figure {
  return { name, help };
}

/** While the database is unavailable, the other metrics still work. */
function known(read: () => Promise<number>): () => Promise<number> {
  return () => read().catch(() => Number.NaN);
}
