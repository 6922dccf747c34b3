import { and, eq, isNull, not, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { storableBeginning } from '../dialect/stored-text.js';
import { MAX_DEVICE_LENGTH, type SessionKind } from '../tables/session-tables.js';
import type { AccessTransaction } from './change-access.js';
import { databaseTime, notEarlier } from './database-clock.js';
import { familyOf, isOfFamily } from './find-token-state.js';
import { recordSessionEnds, type SessionEnd } from './session-events.js';

/** The family of one of a member's rows. The first row of a family may have been deleted, so its number represents it. */
export async function findFamilyId(
  db: Database,
  { memberId, sessionId }: { memberId: number; sessionId: number },
): Promise<number> {
  const { sessions } = db.tables;
  const [row] = await db
    .select({ familyId: familyOf(db.tables) })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.memberId, memberId)));
  return row?.familyId ?? sessionId;
}

/** The session to keep when all others end. */
export interface KeptSession {
  tokenKey: string;
  kind: SessionKind;
  device: string;
  address: string;
  partnerId: number | null;
  expiresAtMs: number;
  /** When the user of the session last verified that they are the member. */
  verifiedAtMs: number | null;
  /** The level of that verification. */
  verifiedLevel: number;
  /** How the session was authenticated, separated by blanks; null where that is not known. */
  amr: string | null;
  /** The highest level reached in the session. */
  level: number;
  /** When the user signed in. */
  authTimeMs: number | null;
  /** The family it belongs to; null for a session that has just begun or has no row. */
  familyId?: number | null;
}

/**
 * Ends every session of a member by increasing the member's epoch, and every token without a session row that was
 * issued until now, by the clock of the node or of the database, whichever is ahead. The session to keep, if any, gets the new
 * epoch with its whole family; a kept token without a row gets one.
 */
export async function endAllSessions(
  tx: AccessTransaction,
  memberId: number,
  { keep, ...end }: SessionEnd & { keep?: KeptSession },
): Promise<void> {
  const { members, sessions } = tx.tables;
  const { nowMs } = end;
  const tokensValidAfterMs = notEarlier(tx, members.tokensValidAfterMs, nowMs, databaseTime(tx));
  await tx.write(
    tx
      .update(members)
      .set({ sessionEpoch: sql`${members.sessionEpoch} + 1`, tokensValidAfterMs, updatedAtMs: nowMs })
      .where(eq(members.id, memberId)),
  );
  const isEnding = and(eq(sessions.memberId, memberId), keep && not(isKept(tx, keep)));
  await recordSessionEnds(tx, isEnding, end, { epochsAgo: 1, isMarked: true });
  if (keep === undefined) return;
  const [member] = await tx
    .select({ epoch: members.sessionEpoch })
    .from(members)
    .where(eq(members.id, memberId));
  if (member === undefined) return;
  const moved = await tx.write(
    tx
      .update(sessions)
      .set({ epoch: member.epoch })
      .where(
        and(
          isKept(tx, keep),
          eq(sessions.memberId, memberId),
          eq(sessions.epoch, member.epoch - 1),
          isNull(sessions.endedAtMs),
        ),
      ),
  );
  if (moved > 0) return;
  const device = storableBeginning(keep.device, MAX_DEVICE_LENGTH);
  await tx.insertOnce(sessions, {
    ...keep,
    memberId,
    epoch: member.epoch,
    device,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
  });
}

function isKept({ tables }: AccessTransaction, { tokenKey, familyId = null }: KeptSession): SQL {
  const isToken = eq(tables.sessions.tokenKey, tokenKey);
  return familyId === null ? isToken : sql`(${isToken} or ${isOfFamily(tables, familyId)})`;
}

/** Ends the session of one token with its whole family. A token without a session row is revoked until it expires. */
export async function endSession(
  tx: AccessTransaction,
  { tokenKey, expiresAtMs, ...end }: SessionEnd & { tokenKey: string; expiresAtMs: number },
): Promise<void> {
  const { sessions, revocations } = tx.tables;
  const [row] = await tx
    .select({ memberId: sessions.memberId, familyId: familyOf(tx.tables) })
    .from(sessions)
    .where(eq(sessions.tokenKey, tokenKey));
  if (row === undefined) {
    await tx.insertOnce(revocations, { tokenKey, expiresAtMs });
    return;
  }
  const isEnding = and(eq(sessions.memberId, row.memberId), isOfFamily(tx.tables, row.familyId));
  await recordSessionEnds(tx, isEnding, end);
  await tx.write(
    tx
      .update(sessions)
      .set({ endedAtMs: sql`coalesce(${sessions.endedAtMs}, ${end.nowMs})` })
      .where(isEnding),
  );
}

/** Ends one session of a member with its whole family. False when the member has no such open session. */
export async function endSessionById(
  tx: AccessTransaction,
  { memberId, sessionId, ...end }: SessionEnd & { memberId: number; sessionId: number },
): Promise<boolean> {
  const { sessions } = tx.tables;
  const familyId = await findFamilyId(tx, { memberId, sessionId });
  const isEnding = and(eq(sessions.memberId, memberId), isOfFamily(tx.tables, familyId));
  await recordSessionEnds(tx, isEnding, end);
  const rows = await tx.write(
    tx
      .update(sessions)
      .set({ endedAtMs: end.nowMs })
      .where(and(isEnding, isNull(sessions.endedAtMs))),
  );
  return rows > 0;
}

/** How often all sessions of a member ended, and when that was the last time. Login tokens that are made now carry both. */
export async function findSessionsEnd(
  db: Database,
  memberId: number,
): Promise<{ sessionEpoch: number; tokensValidAfterMs: number } | undefined> {
  const { id, sessionEpoch, tokensValidAfterMs } = db.tables.members;
  const [row] = await db
    .select({ sessionEpoch, tokensValidAfterMs })
    .from(db.tables.members)
    .where(eq(id, memberId));
  return row;
}
