import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  min,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';
import type { DeliveryAttempt, DeliveryState } from '../tables/event-tables.js';
import type { EndpointRow } from './event-endpoints.js';
import { countEvents, type EventRow, findFeedEnd, listEvents } from './events.js';

/** An event that failed so often is no longer waited for by the later ones of its subject. */
const ATTEMPTS_IN_ORDER = 3;

/** Live endpoints whose account is open. */
function isSending(db: Database): SQL | undefined {
  const { accounts, eventEndpoints } = db.tables;
  const isOfOpenAccount = exists(
    db
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.id, eventEndpoints.accountId), eq(accounts.isDeleted, false))),
  );
  return and(
    eq(eventEndpoints.state, 'live'),
    eq(eventEndpoints.active, true),
    or(isNull(eventEndpoints.accountId), isOfOpenAccount),
  );
}

/** Live endpoints with events in their feed that are not queued yet: their ids after `afterId`, at most `limit`. */
export async function listEndpointsBehind(
  db: Database,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<number[]> {
  const { eventAudiences, eventEndpoints } = db.tables;
  const { id, position, scope, accountId } = eventEndpoints;
  const last = (await findFeedEnd(db)) ?? 0;
  const hasEvents = exists(
    db
      .select({ position: eventAudiences.position })
      .from(eventAudiences)
      .where(and(eq(eventAudiences.audience, scope), gt(eventAudiences.position, position))),
  );
  const isBehind = or(hasEvents, and(isNull(accountId), lt(position, last)));
  const rows = await db
    .select({ id })
    .from(eventEndpoints)
    .where(and(gt(id, afterId), isSending(db), isBehind))
    .orderBy(asc(id))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Whether so many deliveries of an endpoint wait that later ones of their subjects wait for them. */
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
  return accountId === null ? { types, session: { level, nowMs } } : { types, audience: scope };
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

/** Live endpoints with deliveries that are due: their ids after `afterId`, at most `limit`. */
export async function listDueEndpoints(
  db: Database,
  { afterId, limit, nowMs }: { afterId: number; limit: number; nowMs: number },
): Promise<{ id: number; scope: string; url: string; failures: number }[]> {
  const { eventDeliveries, eventEndpoints } = db.tables;
  const { id, scope, url, failures } = eventEndpoints;
  const isDue = exists(
    db
      .select({ id: eventDeliveries.id })
      .from(eventDeliveries)
      .where(
        and(
          eq(eventDeliveries.endpointId, id),
          eq(eventDeliveries.state, 'pending'),
          lte(eventDeliveries.dueAtMs, nowMs),
        ),
      ),
  );
  return db
    .select({ id, scope, url, failures })
    .from(eventEndpoints)
    .where(and(gt(id, afterId), isSending(db), isDue))
    .orderBy(asc(id))
    .limit(limit);
}

/** An endpoint that events may be sent to now. */
export async function findSendingEndpoint(db: Database, id: number): Promise<EndpointRow | undefined> {
  const { eventEndpoints } = db.tables;
  const [row] = await db
    .select()
    .from(eventEndpoints)
    .where(and(eq(eventEndpoints.id, id), isSending(db)));
  return row;
}

/** A claimed delivery with its event. */
export interface ClaimedDelivery {
  id: number;
  failures: number;
  attempts: DeliveryAttempt[];
  queuedAtMs: number;
  /** Null once the event is no longer kept. */
  event: EventRow | null;
}

/**
 * Claims up to `limit` due deliveries of an endpoint until `leaseUntilMs`, longest waiting first. An event waits for the earlier ones
 * of its subject until they are delivered or have failed three times. Only one node claims a delivery; it is due again when the
 * lease ends.
 */
export async function claimDeliveries(
  db: Database,
  endpointId: number,
  claim: { leaseToken: string; leaseUntilMs: number; limit: number; nowMs: number },
): Promise<ClaimedDelivery[]> {
  const { eventDeliveries, events } = db.tables;
  const { leaseToken, leaseUntilMs, limit, nowMs } = claim;
  const earlier = alias(eventDeliveries, 'earlier');
  const isDue = and(eq(eventDeliveries.state, 'pending'), lte(eventDeliveries.dueAtMs, nowMs));
  const waitsForNone = notExists(
    db
      .select({ id: earlier.id })
      .from(earlier)
      .where(
        and(
          eq(earlier.endpointId, eventDeliveries.endpointId),
          eq(earlier.state, 'pending'),
          eq(earlier.subject, eventDeliveries.subject),
          lt(earlier.position, eventDeliveries.position),
          lt(earlier.failures, ATTEMPTS_IN_ORDER),
        ),
      ),
  );
  const due = await db
    .select({ id: eventDeliveries.id })
    .from(eventDeliveries)
    .where(and(eq(eventDeliveries.endpointId, endpointId), isDue, waitsForNone))
    .orderBy(asc(eventDeliveries.dueAtMs), asc(eventDeliveries.position))
    .limit(limit);
  if (due.length === 0) return [];
  const ids = due.map(({ id }) => id).sort((one, other) => one - other);
  const claimed = await db.write(
    db
      .update(eventDeliveries)
      .set({ leaseToken, dueAtMs: leaseUntilMs })
      .where(and(inArray(eventDeliveries.id, ids), isDue)),
  );
  if (claimed === 0) return [];
  const { id, failures, attempts, queuedAtMs } = eventDeliveries;
  const rows = await db
    .select({
      delivery: { id, failures, attempts, queuedAtMs },
      event: {
        publicId: events.publicId,
        position: events.position,
        type: events.type,
        version: events.version,
        atMs: events.atMs,
        subjectKind: events.subjectKind,
        subjectId: events.subjectId,
        subjectVersion: events.subjectVersion,
        accountId: events.accountId,
        actorKind: events.actorKind,
        actorId: events.actorId,
        data: events.data,
      },
    })
    .from(eventDeliveries)
    .leftJoin(events, eq(events.position, eventDeliveries.position))
    .where(and(inArray(eventDeliveries.id, ids), eq(eventDeliveries.leaseToken, leaseToken)))
    .orderBy(asc(eventDeliveries.position));
  return rows.map(({ delivery, event }) => ({
    ...delivery,
    event: event === null || event.position === null ? null : { ...event, position: event.position },
  }));
}

/** What became of an attempt, or of a delivery that may not be sent any more. */
export interface DeliveryOutcome {
  readonly id: number;
  readonly state: DeliveryState;
  readonly failures: number;
  readonly attempts: DeliveryAttempt[];
  /** For a delivery that stays pending. */
  readonly dueAtMs?: number;
  readonly deliveredAtMs?: number;
}

/** Records outcomes of claimed deliveries. One that is delivered counts as delivered even if another node has the lease by then. */
export async function setOutcomes(
  tx: Database,
  leaseToken: string,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> {
  const { eventDeliveries } = tx.tables;
  const { id, state } = eventDeliveries;
  const delivered = outcomes.filter((outcome) => outcome.state === 'delivered');
  if (delivered.length > 0) await setDelivered(tx, delivered);
  for (const outcome of outcomes) {
    if (outcome.state === 'delivered') continue;
    const isHeld = and(eq(id, outcome.id), eq(state, 'pending'), eq(eventDeliveries.leaseToken, leaseToken));
    await tx.write(
      tx
        .update(eventDeliveries)
        .set({ ...outcome, leaseToken: null })
        .where(isHeld),
    );
  }
}

/** One statement for all, because an endpoint that accepts events accepts many. */
async function setDelivered(tx: Database, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const { eventDeliveries } = tx.tables;
  const { id, state, attempts, deliveredAtMs } = eventDeliveries;
  const ids = outcomes.map((outcome) => outcome.id);
  const cases = (column: (outcome: DeliveryOutcome) => SQL) => {
    const each = outcomes.map((outcome) => sql`when ${outcome.id} then ${column(outcome)}`);
    return sql`case ${id} ${sql.join(each, sql` `)} end`;
  };
  await tx.write(
    tx
      .update(eventDeliveries)
      .set({
        state: 'delivered',
        leaseToken: null,
        attempts: cases((outcome) => sql`${sql.param(outcome.attempts, attempts)}`),
        deliveredAtMs: cases((outcome) => sql`${sql.param(outcome.deliveredAtMs, deliveredAtMs)}`),
      })
      .where(and(inArray(id, ids), eq(state, 'pending'))),
  );
}

/** Makes claimed deliveries that were not sent due again, the longest waiting first as before. */
export async function releaseDeliveries(
  tx: Database,
  leaseToken: string,
  ids: readonly number[],
): Promise<void> {
  const { eventDeliveries } = tx.tables;
  if (ids.length === 0) return;
  await tx.write(
    tx
      .update(eventDeliveries)
      .set({ leaseToken: null, dueAtMs: sql`${eventDeliveries.queuedAtMs}` })
      .where(and(inArray(eventDeliveries.id, ids), eq(eventDeliveries.leaseToken, leaseToken))),
  );
}

/** Sends again what was not delivered since the last success, beginning now. What a node is sending is left to it. */
export async function setUndeliveredDue(
  tx: Database,
  { endpointId, sinceMs, nowMs }: { endpointId: number; sinceMs: number; nowMs: number },
): Promise<void> {
  const { eventDeliveries } = tx.tables;
  const { state } = eventDeliveries;
  const isGivenUp = and(eq(state, 'failed'), gte(eventDeliveries.queuedAtMs, sinceMs));
  const isWaiting = and(eq(state, 'pending'), isFree(tx, nowMs));
  await tx.write(
    tx
      .update(eventDeliveries)
      .set({ state: 'pending', failures: 0, queuedAtMs: nowMs, dueAtMs: nowMs, leaseToken: null })
      .where(and(eq(eventDeliveries.endpointId, endpointId), or(isWaiting, isGivenUp))),
  );
}

/** Gives up what waits for an endpoint. What a node is sending is left to it. */
export async function giveUpPending(
  tx: Database,
  { endpointId, nowMs }: { endpointId: number; nowMs: number },
): Promise<void> {
  const { eventDeliveries } = tx.tables;
  const isOfEndpoint = eq(eventDeliveries.endpointId, endpointId);
  await tx.write(
    tx
      .update(eventDeliveries)
      .set({ state: 'failed', leaseToken: null })
      .where(and(isOfEndpoint, eq(eventDeliveries.state, 'pending'), isFree(tx, nowMs))),
  );
}

/** Whether no node has a lease of the delivery that still runs. */
function isFree({ tables: { eventDeliveries } }: Database, nowMs: number): SQL | undefined {
  return or(isNull(eventDeliveries.leaseToken), lte(eventDeliveries.dueAtMs, nowMs));
}

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

/** The deliveries that wait, of all endpoints: how many, and since when the oldest does. */
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
