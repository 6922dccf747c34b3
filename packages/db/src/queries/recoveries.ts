import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { RecoveryOutcome } from '../tables/factor-tables.js';
import type { AccessTransaction } from './change-access.js';
import { recordSessionEnds, type SessionEnd } from './session-events.js';

/** A recovery, without the digest of its ticket. */
export interface RecoveryRow {
  id: number;
  memberId: number;
  openedById: number;
  reason: string;
  needsApproval: boolean;
  approvedById: number | null;
  approvedAtMs: number | null;
  openedAtMs: number;
  effectiveAtMs: number;
  ticketExpiresAtMs: number | null;
  ticketUsedAtMs: number | null;
  endedAtMs: number | null;
  endedById: number | null;
  outcome: RecoveryOutcome | null;
}

/** A recovery that begins. */
export type NewRecovery = Pick<
  Tables['recoveries']['$inferSelect'],
  'memberId' | 'openedById' | 'reason' | 'needsApproval' | 'openedAtMs' | 'effectiveAtMs'
>;

/** Opens a recovery. False when the member has an open one. */
export async function insertRecovery(tx: Database, recovery: NewRecovery): Promise<boolean> {
  return tx.insertOnce(tx.tables.recoveries, { ...recovery, openKey: recovery.memberId });
}

/** A recovery by its id. */
export async function findRecovery(db: Database, recoveryId: number): Promise<RecoveryRow | undefined> {
  const [row] = await recoveryRows(db, eq(db.tables.recoveries.id, recoveryId));
  return row;
}

/** The open recovery of a member. */
export async function findOpenRecovery(db: Database, memberId: number): Promise<RecoveryRow | undefined> {
  const [row] = await recoveryRows(db, eq(db.tables.recoveries.openKey, memberId));
  return row;
}

/** The select of the open recovery of a member. */
export function selectOpenRecovery(db: Database) {
  return recoveryRows(db, eq(db.tables.recoveries.openKey, sql.placeholder('memberId')));
}

/** Recoveries, newest first: all, or those of one member. `beforeId` pages on. */
export async function listRecoveries(
  db: Database,
  filter: { memberId?: number | undefined },
  { limit, beforeId }: { limit: number; beforeId?: number | undefined },
): Promise<RecoveryRow[]> {
  const { id, memberId } = db.tables.recoveries;
  const where = and(
    beforeId === undefined ? undefined : lt(id, beforeId),
    filter.memberId === undefined ? undefined : eq(memberId, filter.memberId),
  );
  return recoveryRows(db, where).orderBy(desc(id)).limit(limit);
}

/** How many recoveries of a member, or by a member of staff, were opened since a moment. */
export async function countRecoveriesSince(
  db: Database,
  who: { memberId: number } | { openedById: number },
  sinceMs: number,
): Promise<number> {
  const { recoveries } = db.tables;
  const isTheirs =
    'memberId' in who ? eq(recoveries.memberId, who.memberId) : eq(recoveries.openedById, who.openedById);
  const rows = await db
    .select({ id: recoveries.id })
    .from(recoveries)
    .where(and(isTheirs, gt(recoveries.openedAtMs, sinceMs)));
  return rows.length;
}

/** Records that another member of staff agrees. False when it has ended, needs no approval, or they opened it. */
export async function approveRecovery(
  tx: Database,
  { recoveryId, approvedById, nowMs }: { recoveryId: number; approvedById: number; nowMs: number },
): Promise<boolean> {
  const { recoveries } = tx.tables;
  const rows = await tx.write(
    tx
      .update(recoveries)
      .set({ approvedById, approvedAtMs: nowMs })
      .where(
        and(
          eq(recoveries.id, recoveryId),
          isNull(recoveries.endedAtMs),
          eq(recoveries.needsApproval, true),
          isNull(recoveries.approvedById),
          ne(recoveries.openedById, approvedById),
        ),
      ),
  );
  return rows === 1;
}

/** Ends a recovery. False when it has ended. */
export async function endRecovery(
  tx: Database,
  end: { recoveryId: number; outcome: RecoveryOutcome; endedById: number | null; nowMs: number },
): Promise<boolean> {
  const { recoveries } = tx.tables;
  const { recoveryId, outcome, endedById, nowMs } = end;
  const rows = await tx.write(
    tx
      .update(recoveries)
      .set({ openKey: null, outcome, endedById, endedAtMs: nowMs })
      .where(and(eq(recoveries.id, recoveryId), isNull(recoveries.endedAtMs))),
  );
  return rows === 1;
}

/** Recoveries whose wait is over and whose ticket is to be made. */
export async function listDueRecoveries(
  db: Database,
  { byMs, limit }: { byMs: number; limit: number },
): Promise<RecoveryRow[]> {
  const { recoveries } = db.tables;
  const isAgreed = or(eq(recoveries.needsApproval, false), isNotNull(recoveries.approvedById));
  const isDue = and(
    isNull(recoveries.endedAtMs),
    lte(recoveries.effectiveAtMs, byMs),
    isNull(recoveries.ticketDigest),
    isAgreed,
  );
  return recoveryRows(db, isDue).orderBy(asc(recoveries.effectiveAtMs)).limit(limit);
}

/** Recoveries whose ticket has expired, and those whose wait ended before a moment without an approval. */
export async function listOverRecoveries(
  db: Database,
  { byMs, unapprovedBeforeMs, limit }: { byMs: number; unapprovedBeforeMs: number; limit: number },
): Promise<RecoveryRow[]> {
  const { recoveries } = db.tables;
  const isUnapproved = and(
    isNull(recoveries.ticketExpiresAtMs),
    eq(recoveries.needsApproval, true),
    isNull(recoveries.approvedById),
    lte(recoveries.effectiveAtMs, unapprovedBeforeMs),
  );
  const isOver = and(
    isNull(recoveries.endedAtMs),
    lte(recoveries.effectiveAtMs, byMs),
    or(lte(recoveries.ticketExpiresAtMs, byMs), isUnapproved),
  );
  return recoveryRows(db, isOver).orderBy(asc(recoveries.effectiveAtMs)).limit(limit);
}

/** Gives a recovery its ticket. True for one of any number of nodes, and only while it is open. */
export async function setRecoveryTicket(
  tx: Database,
  ticket: { recoveryId: number; digest: string; expiresAtMs: number },
): Promise<boolean> {
  const { recoveries } = tx.tables;
  const rows = await tx.write(
    tx
      .update(recoveries)
      .set({ ticketDigest: ticket.digest, ticketExpiresAtMs: ticket.expiresAtMs })
      .where(
        and(
          eq(recoveries.id, ticket.recoveryId),
          isNull(recoveries.endedAtMs),
          isNull(recoveries.ticketDigest),
        ),
      ),
  );
  return rows === 1;
}

/** The recovery of a member whose ticket one of these digests is, unused and unexpired. */
export async function findRecoveryByTicket(
  db: Database,
  ticket: { memberId: number; digests: readonly string[]; nowMs: number },
): Promise<number | undefined> {
  const { recoveries } = db.tables;
  const [row] = await db.select({ id: recoveries.id }).from(recoveries).where(isOpenTicket(db, ticket));
  return row?.id;
}

/** Uses up a ticket. True for one of any number of attempts, and only while its recovery is open. */
export async function consumeRecoveryTicket(
  tx: Database,
  ticket: { memberId: number; digests: readonly string[]; nowMs: number },
): Promise<boolean> {
  const { recoveries } = tx.tables;
  const rows = await tx.write(
    tx.update(recoveries).set({ ticketUsedAtMs: ticket.nowMs }).where(isOpenTicket(tx, ticket)),
  );
  return rows === 1;
}

function isOpenTicket(
  { tables }: Database,
  { memberId, digests, nowMs }: { memberId: number; digests: readonly string[]; nowMs: number },
): SQL | undefined {
  const { recoveries } = tables;
  return and(
    eq(recoveries.openKey, memberId),
    inArray(recoveries.ticketDigest, [...digests]),
    isNull(recoveries.ticketUsedAtMs),
    gt(recoveries.ticketExpiresAtMs, nowMs),
  );
}

function recoveryRows(db: Database, where: SQL | undefined) {
  const { recoveries } = db.tables;
  const { id, memberId, openedById, reason, needsApproval, approvedById, approvedAtMs } = recoveries;
  const { openedAtMs, effectiveAtMs, ticketExpiresAtMs, ticketUsedAtMs } = recoveries;
  const { endedAtMs, endedById, outcome } = recoveries;
  const opened = { openedById, reason, openedAtMs, effectiveAtMs };
  const approved = { needsApproval, approvedById, approvedAtMs };
  const ended = { ticketExpiresAtMs, ticketUsedAtMs, endedAtMs, endedById, outcome };
  return db
    .select({ id, memberId, ...opened, ...approved, ...ended })
    .from(recoveries)
    .where(where);
}

/** The member whose recovery it is. */
interface OfRecovery {
  readonly memberId: number;
  readonly recoveryId: number;
}

/** Turns sessions that began with the ticket of a recovery into ordinary ones, once their member has added a factor. */
export async function releaseRecoverySessions(tx: AccessTransaction, of: OfRecovery): Promise<void> {
  const { sessions } = tx.tables;
  await tx.write(tx.update(sessions).set({ recoveryId: null }).where(isOfRecovery(tx, of)));
}

/** Ends the sessions that began with the ticket of a recovery. The caller has locked the member, so none begins meanwhile. */
export async function endRecoverySessions(
  tx: AccessTransaction,
  { endedById, nowMs, ...of }: OfRecovery & Omit<SessionEnd, 'reason'>,
): Promise<void> {
  const { sessions } = tx.tables;
  const isOpen = and(isOfRecovery(tx, of), isNull(sessions.endedAtMs));
  await recordSessionEnds(tx, isOpen, { reason: 'recovery_ended', endedById, nowMs });
  await tx.write(tx.update(sessions).set({ endedAtMs: nowMs }).where(isOpen));
}

function isOfRecovery({ tables }: AccessTransaction, { memberId, recoveryId }: OfRecovery) {
  return and(eq(tables.sessions.memberId, memberId), eq(tables.sessions.recoveryId, recoveryId));
}
