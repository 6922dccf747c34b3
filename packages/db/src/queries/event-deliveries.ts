import {
  and,
  asc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  lte,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { alias, type MySqlColumn } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';
import type { DeliveryAttempt, DeliveryState } from '../tables/event-tables.js';
import { isSending } from './event-endpoints.js';
import type { EventRow } from './events.js';
import { notByIndex } from './not-by-index.js';

/** After so many failures of an event, later events of its subject no longer wait for it. */
export const ATTEMPTS_IN_ORDER = 3;

/** Live endpoints with deliveries that are due: their ids after `afterId`, at most `limit`. */
export async function listDueEndpoints(
  db: Database,
  { afterId, limit, nowMs }: { afterId: number; limit: number; nowMs: number },
): Promise<{ id: number; url: string; failures: number }[]> {
  const { eventDeliveries, eventEndpoints } = db.tables;
  const { id, url, failures } = eventEndpoints;
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
    .select({ id, url, failures })
    .from(eventEndpoints)
    .where(and(gt(id, afterId), isSending(db), isDue))
    .orderBy(asc(id))
    .limit(limit);
}

/**
 * Claims up to `limit` due deliveries of an endpoint until `leaseUntilMs`, longest waiting first. Several of one subject are claimed
 * together, unless an earlier one of the subject waits longer. Only one node claims a delivery; it is due again when the lease ends.
 * @returns the ids of those that it tried to claim, those of one subject in their order and as far from each other as possible.
 * `listClaimed` tells which ones it holds.
 */
export async function claimDeliveries(
  db: Database,
  endpointId: number,
  claim: { leaseToken: string; leaseUntilMs: number; limit: number; nowMs: number },
): Promise<number[]> {
  const { eventDeliveries } = db.tables;
  const { id, subject, position, dueAtMs } = eventDeliveries;
  const { leaseToken, leaseUntilMs, limit, nowMs } = claim;
  const isDue = and(eq(eventDeliveries.state, 'pending'), lte(dueAtMs, nowMs));
  const waitsForNone = waitsForNoEarlier(db, endpointId, (earlier) => gt(earlier.dueAtMs, dueAtMs));
  const due = await db
    .select({ id, subject })
    .from(eventDeliveries)
    .where(and(eq(eventDeliveries.endpointId, endpointId), isDue, waitsForNone))
    .orderBy(asc(dueAtMs), asc(position))
    .limit(limit);
  if (due.length === 0) return [];
  const ids = due.map((delivery) => delivery.id).sort((one, other) => one - other);
  const claimed = await db.write(
    db
      .update(eventDeliveries)
      .set({ leaseToken, dueAtMs: leaseUntilMs })
      .where(and(inArray(id, ids), notByIndex(isDue))),
  );
  return claimed === 0 ? [] : inTurn(due);
}

/** The ids of deliveries: the first of each subject, then the second of each, and so on. */
function inTurn(due: readonly { id: number; subject: string }[]): number[] {
  const counts = new Map<string, number>();
  const ranked = due.map(({ id, subject }) => {
    const rank = counts.get(subject) ?? 0;
    counts.set(subject, rank + 1);
    return { id, rank };
  });
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ id }) => id);
}

/**
 * Whether no earlier delivery of the same subject to the endpoint, among those that fulfill `isAhead`, is undelivered with fewer
 * than three failures. The endpoint is passed to the subquery too: if it were compared with that of the delivery, MariaDB would
 * read everything that waits for it for each delivery, until it has statistics of the table.
 */
function waitsForNoEarlier(
  db: Database,
  endpointId: number,
  isAhead: (earlier: { readonly dueAtMs: MySqlColumn; readonly leaseToken: MySqlColumn }) => SQL | undefined,
): SQL {
  const { eventDeliveries } = db.tables;
  const earlier = alias(eventDeliveries, 'earlier');
  return notExists(
    db
      .select({ id: earlier.id })
      .from(earlier)
      .where(
        and(
          eq(earlier.endpointId, endpointId),
          eq(earlier.state, 'pending'),
          eq(earlier.subject, eventDeliveries.subject),
          lt(earlier.position, eventDeliveries.position),
          lt(earlier.failures, ATTEMPTS_IN_ORDER),
          isAhead(earlier),
        ),
      ),
  );
}

/** A claimed delivery with its event. */
export interface ClaimedDelivery {
  id: number;
  subject: string;
  failures: number;
  attempts: DeliveryAttempt[];
  queuedAtMs: number;
  /** Null once the event is no longer kept. */
  event: EventRow | null;
}

/**
 * Those deliveries of an endpoint that are still claimed by the lease, with their events as they are now, in order. Without those
 * that wait for an earlier one of their subject that the lease does not hold.
 */
export async function listClaimed(
  db: Database,
  endpointId: number,
  { ids, leaseToken, nowMs }: { ids: readonly number[]; leaseToken: string; nowMs: number },
): Promise<ClaimedDelivery[]> {
  const { eventDeliveries, events } = db.tables;
  const { id, subject, failures, attempts, queuedAtMs, dueAtMs } = eventDeliveries;
  const isHeld = and(eq(eventDeliveries.leaseToken, leaseToken), gt(dueAtMs, nowMs));
  const waitsForNone = waitsForNoEarlier(db, endpointId, (earlier) =>
    or(isNull(earlier.leaseToken), ne(earlier.leaseToken, leaseToken), lte(earlier.dueAtMs, nowMs)),
  );
  const rows = await db
    .select({
      delivery: { id, subject, failures, attempts, queuedAtMs },
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
    .where(and(inArray(id, [...ids]), isHeld, waitsForNone))
    .orderBy(asc(eventDeliveries.position));
  return rows.map(({ delivery, event }) => ({
    ...delivery,
    event: event === null || event.position === null ? null : { ...event, position: event.position },
  }));
}

/** The outcome of an attempt, or of a delivery that may no longer be sent. */
export interface DeliveryOutcome {
  readonly id: number;
  readonly state: DeliveryState;
  readonly failures: number;
  readonly attempts: DeliveryAttempt[];
  /** For a delivery that stays pending. */
  readonly dueAtMs?: number;
  readonly deliveredAtMs?: number;
}

/**
 * Records outcomes of claimed deliveries. A delivered one is recorded as delivered even if another node has the lease by then.
 */
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
      .where(and(inArray(id, ids), notByIndex(eq(state, 'pending')))),
  );
}

/** Makes those of the deliveries that are still claimed due again, the longest waiting first as before. */
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

/**
 * Sends again what was not delivered since the last success, beginning now. Deliveries that a node is sending stay with
 * it.
 */
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

/** Gives up what waits for an endpoint. Deliveries that a node is sending stay with it. */
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
