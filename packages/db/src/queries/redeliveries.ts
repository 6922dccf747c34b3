import { and, asc, eq, gt } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Redelivery } from '../tables/event-tables.js';
import { redeliver } from './delivery-log.js';
import { type EndpointRow, lockEndpoint, setEndpoint } from './event-endpoints.js';
import { isQueueFull } from './queue-events.js';

const AT_ONCE = 1_000;

/**
 * While this many deliveries wait, the rest of a redelivery waits too; otherwise the endpoint would be disabled for its backlog.
 */
const MOST_WAITING = 20_000;

/**
 * Begins to send the deliveries of an endpoint between two moments again; `continueRedelivery` queues them. A running
 * one continues unchanged. The caller has locked the endpoint.
 */
export async function beginRedelivery(
  tx: Database,
  { id, redelivery, isRedelivering }: Pick<EndpointRow, 'id' | 'redelivery' | 'isRedelivering'>,
  { fromMs, toMs, nowMs }: { fromMs: number; toMs: number; nowMs: number },
): Promise<{ redelivery: Redelivery; isNew: boolean }> {
  if (isRedelivering && redelivery !== null) return { redelivery, isNew: false };
  const range = { fromMs, toMs: Math.min(toMs, nowMs + 1) };
  const progress = { state: 'running', count: 0, lastId: 0, startedAtMs: nowMs, endedAtMs: null } as const;
  const begun: Redelivery = { ...range, ...progress };
  await setEndpoint(tx, id, { redelivery: begun, isRedelivering: true });
  return { redelivery: begun, isNew: true };
}

/** The endpoints with a redelivery that runs: their ids after `afterId`, at most `limit`. */
export async function listRedelivering(
  db: Database,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<number[]> {
  const { id, isRedelivering } = db.tables.eventEndpoints;
  const rows = await db
    .select({ id })
    .from(db.tables.eventEndpoints)
    .where(and(gt(id, afterId), eq(isRedelivering, true)))
    .orderBy(asc(id))
    .limit(limit);
  return rows.map((row) => row.id);
}

/**
 * Queues the next deliveries of a redelivery. They and its progress are one transaction on the locked endpoint, so that each is queued
 * once whatever dies, and however many nodes do this.
 * @returns how many; 0 also while too many wait
 */
export async function continueRedelivery(
  db: Database,
  endpointId: number,
  nowMs: number,
): Promise<{ queued: number; redelivery: Redelivery | null }> {
  return db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, { id: endpointId });
    const redelivery = endpoint?.redelivery ?? null;
    if (endpoint === undefined || redelivery === null || !endpoint.isRedelivering)
      return { queued: 0, redelivery };
    const end = async (state: 'done' | 'stopped', count: number) => {
      const ended = { ...redelivery, count, state, endedAtMs: nowMs };
      await setEndpoint(tx, endpointId, { redelivery: ended, isRedelivering: false });
      return { queued: count - redelivery.count, redelivery: ended };
    };
    if (!endpoint.active || endpoint.state === 'disabled') return end('stopped', redelivery.count);
    if (await isQueueFull(tx, endpointId, MOST_WAITING)) return { queued: 0, redelivery };
    const { fromMs, toMs, lastId: afterId } = redelivery;
    const { counts, lastId } = await redeliver(
      tx,
      { endpointId, fromMs, toMs, afterId, limit: AT_ONCE },
      nowMs,
    );
    const queued = counts.get(endpointId) ?? 0;
    const count = redelivery.count + queued;
    if (queued < AT_ONCE) return end('done', count);
    const anew = { ...redelivery, count, lastId };
    await setEndpoint(tx, endpointId, { redelivery: anew });
    return { queued, redelivery: anew };
  });
}
