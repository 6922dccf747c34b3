import { and, asc, count, desc, eq, gt, gte, inArray, lt, min } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { DeliveryAttempt, DeliveryState } from '../tables/event-tables.js';

/** Removes up to `limit` deliveries that were queued before a moment. */
export async function removeOldDeliveries(
  db: Database,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const { eventDeliveries } = db.tables;
  const { id, createdAtMs } = eventDeliveries;
  const rows = await db
    .select({ id })
    .from(eventDeliveries)
    .where(lt(createdAtMs, beforeMs))
    .orderBy(asc(createdAtMs))
    .limit(limit);
  if (rows.length === 0) return 0;
  return db.write(
    db.delete(eventDeliveries).where(
      inArray(
        id,
        rows.map((row) => row.id),
      ),
    ),
  );
}

/** Removes up to `limit` deliveries of an endpoint that is gone. */
export async function removeDeliveriesOfGone(db: Database, limit: number): Promise<number> {
  const { eventDeliveries, eventEndpoints } = db.tables;
  const { id, endpointId } = eventDeliveries;
  // One short read for each endpoint, so that the index is not read as a whole.
  for (let afterId = 0; ; ) {
    const [next] = await db
      .select({ endpointId, known: eventEndpoints.id })
      .from(eventDeliveries)
      .leftJoin(eventEndpoints, eq(eventEndpoints.id, endpointId))
      .where(gt(endpointId, afterId))
      .orderBy(asc(endpointId))
      .limit(1);
    if (next === undefined) return 0;
    if (next.known === null) {
      const isOfGone = eq(endpointId, next.endpointId);
      const rows = await db
        .select({ id })
        .from(eventDeliveries)
        .where(isOfGone)
        .orderBy(asc(id))
        .limit(limit);
      const ids = rows.map((row) => row.id);
      if (ids.length > 0) return db.write(db.delete(eventDeliveries).where(inArray(id, ids)));
    }
    afterId = next.endpointId;
  }
}

/** The number of waiting deliveries of all endpoints, and since when the oldest waits. */
export async function countDeliveryBacklog(
  db: Database,
): Promise<{ waiting: number; oldestCreatedAtMs: number | null }> {
  const { eventDeliveries } = db.tables;
  const [row] = await db
    .select({ waiting: count(), oldestCreatedAtMs: min(eventDeliveries.createdAtMs) })
    .from(eventDeliveries)
    .where(eq(eventDeliveries.state, 'pending'));
  return { waiting: row?.waiting ?? 0, oldestCreatedAtMs: row?.oldestCreatedAtMs ?? null };
}

/** A delivery in a list. */
export interface DeliveryRow {
  id: number;
  endpointId: number;
  eventId: string;
  type: string;
  subject: string;
  state: DeliveryState;
  failures: number;
  attempts: DeliveryAttempt[];
  queuedAtMs: number;
  dueAtMs: number;
  deliveredAtMs: number | null;
  createdAtMs: number;
}

function deliveryColumns({ eventDeliveries }: Database['tables']) {
  const { id, endpointId, eventId, type, subject, state } = eventDeliveries;
  const { failures, attempts, queuedAtMs, dueAtMs, deliveredAtMs, createdAtMs } = eventDeliveries;
  const what = { id, endpointId, eventId, type, subject, state };
  return { ...what, failures, attempts, queuedAtMs, dueAtMs, deliveredAtMs, createdAtMs };
}

/** The deliveries to these endpoints, newest first. */
export async function listDeliveries(
  db: Database,
  filter: {
    endpointIds: readonly number[];
    state?: DeliveryState | undefined;
    type?: string | undefined;
    fromMs?: number | undefined;
    toMs?: number | undefined;
  },
  { beforeId, limit }: { beforeId: number; limit: number },
): Promise<DeliveryRow[]> {
  const { eventDeliveries } = db.tables;
  const { id, endpointId, state, type, createdAtMs } = eventDeliveries;
  if (filter.endpointIds.length === 0) return [];
  return db
    .select(deliveryColumns(db.tables))
    .from(eventDeliveries)
    .where(
      and(
        inArray(endpointId, [...filter.endpointIds]),
        filter.state && eq(state, filter.state),
        filter.type === undefined ? undefined : eq(type, filter.type),
        filter.fromMs === undefined ? undefined : gte(createdAtMs, filter.fromMs),
        filter.toMs === undefined ? undefined : lt(createdAtMs, filter.toMs),
        lt(id, beforeId),
      ),
    )
    .orderBy(desc(id))
    .limit(limit);
}

export async function findDelivery(
  db: Database,
  { id, endpointIds }: { id: number; endpointIds: readonly number[] },
): Promise<DeliveryRow | undefined> {
  const { eventDeliveries } = db.tables;
  if (endpointIds.length === 0) return undefined;
  const [row] = await db
    .select(deliveryColumns(db.tables))
    .from(eventDeliveries)
    .where(and(eq(eventDeliveries.id, id), inArray(eventDeliveries.endpointId, [...endpointIds])));
  return row;
}

/**
 * Sends deliveries again, whatever became of them: those with these ids, or the oldest of an endpoint between two moments, at most
 * `limit`. Those that wait already become due.
 * @returns how many of each endpoint
 */
export async function redeliver(
  tx: Database,
  chosen:
    | { ids: readonly number[]; endpointIds: readonly number[] }
    | { endpointId: number; fromMs: number; toMs: number; afterId: number; limit: number },
  nowMs: number,
): Promise<{ counts: ReadonlyMap<number, number>; lastId: number }> {
  const { eventDeliveries } = tx.tables;
  const { id, endpointId, createdAtMs } = eventDeliveries;
  const isChosen =
    'ids' in chosen
      ? and(inArray(id, [...chosen.ids]), inArray(endpointId, [...chosen.endpointIds]))
      : and(
          eq(endpointId, chosen.endpointId),
          gt(id, chosen.afterId),
          gte(createdAtMs, chosen.fromMs),
          lt(createdAtMs, chosen.toMs),
        );
  const limit = 'ids' in chosen ? chosen.ids.length : chosen.limit;
  const rows = await tx
    .select({ id, endpointId })
    .from(eventDeliveries)
    .where(isChosen)
    .orderBy(asc(id))
    .limit(limit);
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row.endpointId, (counts.get(row.endpointId) ?? 0) + 1);
  if (rows.length === 0) return { counts, lastId: 0 };
  const ids = rows.map((row) => row.id);
  await tx.write(
    tx
      .update(eventDeliveries)
      .set({
        state: 'pending',
        failures: 0,
        queuedAtMs: nowMs,
        dueAtMs: nowMs,
        leaseToken: null,
        deliveredAtMs: null,
      })
      .where(inArray(id, ids)),
  );
  return { counts, lastId: ids.at(-1) ?? 0 };
}
