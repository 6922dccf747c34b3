import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { storableBeginning } from '../../storable-beginning.js';
import { LONGEST_DEVICE, type SessionKind } from '../../tables/sessions.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import { databaseTime } from '../access/database-time.js';
import { isOfFamily } from '../access/is-of-family.js';
import { notEarlier } from '../access/not-earlier.js';

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
  { nowMs, keep }: { nowMs: number; keep?: KeptSession },
): Promise<void> {
  const { members, sessions } = tx.tables;
  const tokensValidAfterMs = notEarlier(tx, members.tokensValidAfterMs, nowMs, databaseTime(tx));
  await tx.write(
    tx
      .update(members)
      .set({ sessionEpoch: sql`${members.sessionEpoch} + 1`, tokensValidAfterMs, updatedAtMs: nowMs })
      .where(eq(members.id, memberId)),
  );
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
  const device = storableBeginning(keep.device, LONGEST_DEVICE);
  await tx.insertOnce(sessions, {
    ...keep,
    memberId,
    epoch: member.epoch,
    device,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
  });
}

function isKept({ tables }: AccessTransaction, { tokenKey, familyId = null }: KeptSession) {
  const isToken = eq(tables.sessions.tokenKey, tokenKey);
  return familyId === null ? isToken : or(isToken, isOfFamily(tables, familyId));
}
