import { and, asc, count, eq, exists, gt, lt, or } from 'drizzle-orm';
import type { Database } from '../database.js';
import { ATTEMPTS_IN_ORDER } from './event-deliveries.js';
import { DEPLOYMENT_SCOPE, type EndpointRow, isSending } from './event-endpoints.js';
import { countEvents, findFeedEnd, listEvents } from './events.js';

/** Live endpoints with events in their feed that are not queued yet: their ids after `afterId`, at most `limit`. */
export async function listEndpointsBehind(
  db: Database,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<number[]> {
  const { eventAudiences, eventEndpoints } = db.tables;
  const { id, position, scope } = eventEndpoints;
  const last = (await findFeedEnd(db)) ?? 0;
  const hasEvents = exists(
    db
      .select({ position: eventAudiences.position })
      .from(eventAudiences)
      .where(and(eq(eventAudiences.audience, scope), gt(eventAudiences.position, position))),
  );
  const isBehind = or(hasEvents, and(eq(scope, DEPLOYMENT_SCOPE), lt(position, last)));
  const rows = await db
    .select({ id })
    .from(eventEndpoints)
    .where(and(gt(id, afterId), isSending(db), isBehind))
    .orderBy(asc(id))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Whether at least this many deliveries of an endpoint are waiting that later ones of their subjects wait for. */
export async function isQueueFull(db: Database, endpointId: number, most: number): Promise<boolean> {
  const { eventDeliveries } = db.tables;
  const isWaiting = and(
    eq(eventDeliveries.endpointId, endpointId),
    eq(eventDeliveries.state, 'pending'),
    lt(eventDeliveries.failures, ATTEMPTS_IN_ORDER),
  );
  const some = db.select({ id: eventDeliveries.id }).from(eventDeliveries).where(isWaiting).limit(most);
  const [row] = await db.select({ found: count() }).from(some.as('some'));
  return (row?.found ?? 0) >= most;
}

/** How many events wait for an endpoint: those that are queued, and those of its types that its feed still has. Counts up to `limit`. */
export async function countWaiting(
  db: Database,
  endpoint: EndpointRow,
  { limit, nowMs }: { limit: number; nowMs: number },
): Promise<number> {
  const { eventDeliveries } = db.tables;
  const queued = db
    .select({ id: eventDeliveries.id })
    .from(eventDeliveries)
    .where(and(eq(eventDeliveries.endpointId, endpoint.id), eq(eventDeliveries.state, 'pending')))
    .limit(limit)
    .as('queued');
  const [waiting] = await db.select({ found: count() }).from(queued);
  const found = waiting?.found ?? 0;
  const range = { after: endpoint.position, through: (await findFeedEnd(db)) ?? 0, limit: limit - found };
  return range.limit > 0 ? found + (await countEvents(db, filterOf(endpoint, nowMs), range)) : found;
}

/** Which events of its feed an endpoint gets. */
function filterOf({ scope, accountId, level, types }: EndpointRow, nowMs: number) {
  const audience = scope === DEPLOYMENT_SCOPE ? undefined : scope;
  return { types, audience, session: accountId === null ? { level, nowMs } : undefined };
}

/**
 * Queues the next events of an endpoint's feed for it, in the caller's transaction, which has locked the endpoint.
 * @returns the place up to which the feed is queued now
 */
export async function queueEvents(
  tx: Database,
  endpoint: EndpointRow,
  { limit, nowMs }: { limit: number; nowMs: number },
): Promise<number> {
  const { position } = endpoint;
  const through = (await findFeedEnd(tx)) ?? position;
  const rows = await listEvents(tx, filterOf(endpoint, nowMs), { after: position, through, limit });
  await tx.insertMany(
    tx.tables.eventDeliveries,
    rows.map((event) => ({
      endpointId: endpoint.id,
      position: event.position,
      eventId: event.publicId,
      type: event.type,
      subject: `${event.subjectKind}:${event.subjectId}`,
      state: 'pending' as const,
      attempts: [],
      queuedAtMs: nowMs,
      dueAtMs: nowMs,
      createdAtMs: nowMs,
    })),
  );
  const last = rows.at(-1);
  return last !== undefined && rows.length === limit ? last.position : Math.max(position, through);
}
