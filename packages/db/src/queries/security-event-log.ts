import { and, asc, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { storableBeginning } from '../dialect/stored-text.js';
import type { SecurityOutcome } from '../tables/audit-tables.js';
import { MAX_DEVICE_LENGTH } from '../tables/session-tables.js';
import { selectCountUpTo } from './paging.js';
import { prepareRead } from './prepared.js';

/** A security event of a member. */
interface NewSecurityEvent {
  memberId: number;
  atMs: number;
  /** The kind, as `password.changed`. */
  kind: string;
  address: string | null;
  device: string | null;
  actorId: number | null;
}

/** Adds an event, in the transaction of its cause. */
export async function insertSecurityEvent(tx: Database, event: NewSecurityEvent): Promise<void> {
  const device = event.device === null ? null : storableBeginning(event.device, MAX_DEVICE_LENGTH);
  await tx.insert(tx.tables.securityEvents, {
    ...event,
    device,
    outcome: 'ok',
    // Nothing else is counted.
    isCounted: event.kind !== 'login',
  });
}

const MINUTE_MS = 60_000;

/**
 * The owner of events without a member, so that a failed login costs the same for an unknown name as for a
 * known one.
 */
const NOBODY_ID = 0;

/** What a refused password or code was sent for: to sign in, to confirm who one is, or to add an authenticator app. */
export type RefusedKind = 'login' | 'verification' | 'factor.setup';

/** A password or code that was refused. */
interface RefusedLogin {
  memberId: number | undefined;
  /** `login` if absent. */
  kind?: RefusedKind | undefined;
  /** Distinguishes unknown login names. At most 64 characters. */
  nameDigest: string;
  outcome: Exclude<SecurityOutcome, 'ok'>;
  address: string;
  device: string;
  nowMs: number;
}

/** Records a refused login. Refusals of one address within a minute are one event with a count. */
export async function recordRefusedLogin(db: Database, login: RefusedLogin): Promise<void> {
  const { securityEvents } = db.tables;
  const { memberId = NOBODY_ID, kind = 'login', outcome, address, device, nowMs } = login;
  const holder = login.memberId ?? login.nameDigest;
  const purpose = kind === 'login' ? '' : `${kind}:`;
  const mergeKey = `${holder}:${purpose}${outcome}:${Math.floor(nowMs / MINUTE_MS)}:${address}`;
  const count = () =>
    db.write(
      db
        .update(securityEvents)
        .set({ times: sql`${securityEvents.times} + 1`, isCounted: false })
        .where(eq(securityEvents.mergeKey, mergeKey)),
    );
  if ((await count()) > 0) return;
  const isFirst = await db.insertOnce(securityEvents, {
    memberId,
    atMs: nowMs,
    kind,
    outcome,
    address,
    device: storableBeginning(device, MAX_DEVICE_LENGTH),
    mergeKey,
  });
  if (!isFirst) await count();
}

/** An event in a list. */
export interface SecurityEventRow {
  id: number;
  atMs: number;
  kind: string;
  outcome: SecurityOutcome;
  address: string | null;
  device: string | null;
  times: number;
  actorId: number | null;
  /** The names of the actor; null if there was none, or they are gone. */
  actorFirstName: string | null;
  actorLastName: string | null;
  actorUsername: string | null;
}

const ofAll = prepareRead((db) => selectSecurityEvents(db, { isOfOneKind: false }));

const ofOneKind = prepareRead((db) => selectSecurityEvents(db, { isOfOneKind: true }));

/** A member's security events, or those of one kind, newest first; `beforeId` pages on. */
export async function listSecurityEvents(
  db: Database,
  memberId: number,
  {
    limit,
    beforeId = Number.MAX_SAFE_INTEGER,
    kind,
  }: { limit: number; beforeId?: number | undefined; kind?: string | undefined },
): Promise<SecurityEventRow[]> {
  const page = { memberId, beforeId, limit };
  return kind === undefined ? ofAll(db, page) : ofOneKind(db, { kind, ...page });
}

/** The select of how many events of a kind a member has, at most `MAX_COUNTED`. */
export function selectSecurityEventCount(db: Database) {
  const { securityEvents } = db.tables;
  const { memberId, kind } = securityEvents;
  const isOne = and(eq(memberId, sql.placeholder('memberId')), eq(kind, sql.placeholder('kind')));
  return selectCountUpTo(db, securityEvents, isOne);
}

/** The select of a page of security events. */
export function selectSecurityEvents(db: Database, { isOfOneKind }: { isOfOneKind: boolean }) {
  const { members, securityEvents } = db.tables;
  const { id, atMs, kind, outcome, address, device, times, actorId } = securityEvents;
  return db
    .select({
      id,
      atMs,
      kind,
      outcome,
      address,
      device,
      times,
      actorId,
      actorFirstName: members.firstName,
      actorLastName: members.lastName,
      actorUsername: members.username,
    })
    .from(securityEvents)
    .leftJoin(members, eq(members.id, actorId))
    .where(
      and(
        eq(securityEvents.memberId, sql.placeholder('memberId')),
        lt(id, sql.placeholder('beforeId')),
        isOfOneKind ? eq(kind, sql.placeholder('kind')) : undefined,
      ),
    )
    .orderBy(desc(id))
    .limit(sql.placeholder('limit'));
}

/**
 * Removes up to `limit` events older than one time, and as many events without a member older than another.
 * Returns how many were removed.
 */
export async function removeOldSecurityEvents(
  db: Database,
  { beforeMs, nobodyBeforeMs, limit }: { beforeMs: number; nobodyBeforeMs: number; limit: number },
): Promise<number> {
  const { atMs, memberId } = db.tables.securityEvents;
  const old = await remove(db, lt(atMs, beforeMs), limit);
  return old + (await remove(db, and(eq(memberId, NOBODY_ID), lt(atMs, nobodyBeforeMs)), limit));
}

async function remove(db: Database, where: SQL | undefined, limit: number): Promise<number> {
  const { securityEvents } = db.tables;
  const { id, atMs } = securityEvents;
  const rows = await db.select({ id }).from(securityEvents).where(where).orderBy(asc(atMs)).limit(limit);
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.id);
  return db.write(db.delete(securityEvents).where(inArray(id, ids)));
}
