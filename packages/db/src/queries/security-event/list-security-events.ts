import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { SecurityOutcome } from '../../tables/security-events.js';
import { selectCountUpTo } from '../page/count-up-to.js';
import { prepareRead } from '../prepared.js';

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
  /** The name of the actor; null if there was none, or they are gone. */
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

/** The select of how many events of a kind a member has, at most `MOST_COUNTED`. */
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
    .select({ id, atMs, kind, outcome, address, device, times, actorId, actorUsername: members.username })
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
