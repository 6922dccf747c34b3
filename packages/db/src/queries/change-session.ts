import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { storableBeginning } from '../dialect/stored-text.js';
import { MAX_DEVICE_LENGTH } from '../tables/session-tables.js';
import type { AccessTransaction } from './change-access.js';
import { isOfFamily } from './find-token-state.js';
import type { KeptSession } from './revoke-sessions.js';
import { findFamilyId } from './revoke-sessions.js';
import { SLOT_MS, slotOf } from './statistic-counters.js';

/** Names a member's session, with its whole family. False when the member has no such open session. */
export async function renameSession(
  tx: AccessTransaction,
  { memberId, sessionId, name }: { memberId: number; sessionId: number; name: string },
): Promise<boolean> {
  const { members, sessions } = tx.tables;
  const familyId = await findFamilyId(tx, { memberId, sessionId });
  const [member] = await tx
    .select({ epoch: members.sessionEpoch })
    .from(members)
    .where(eq(members.id, memberId));
  if (member === undefined) return false;
  const isOpen = and(
    eq(sessions.memberId, memberId),
    eq(sessions.epoch, member.epoch),
    isOfFamily(tx.tables, familyId),
    isNull(sessions.endedAtMs),
  );
  const rows = await tx.select({ id: sessions.id }).from(sessions).where(isOpen);
  if (rows.length === 0) return false;
  await tx.write(tx.update(sessions).set({ deviceName: name }).where(isOpen));
  return true;
}

/**
 * Records that the user of a session has just verified that they are the member, how, and the levels they reached.
 * The whole family of the session is verified. A token without a session row gets one. The caller has locked the member, so the session cannot end meanwhile.
 * @param recoveryId set where it was the ticket of a recovery: the session then may add a second factor, and nothing else
 */
export async function setSessionVerified(
  tx: AccessTransaction,
  memberId: number,
  {
    session,
    recoveryId,
    nowMs,
  }: { session: Omit<KeptSession, 'verifiedAtMs'>; recoveryId?: number | undefined; nowMs: number },
): Promise<void> {
  const { members, sessions } = tx.tables;
  const { tokenKey, familyId = null } = session;
  const isToken = eq(sessions.tokenKey, tokenKey);
  const isOpen = and(
    familyId === null ? isToken : or(isToken, isOfFamily(tx.tables, familyId)),
    eq(sessions.memberId, memberId),
    isNull(sessions.endedAtMs),
  );
  const { amr, level, verifiedLevel } = session;
  const ofRecovery = recoveryId === undefined ? {} : { recoveryId };
  const verified = { verifiedAtMs: nowMs, verifiedLevel, amr, level, ...ofRecovery };
  const rows = await tx.write(tx.update(sessions).set(verified).where(isOpen));
  if (rows > 0) return;
  const [member] = await tx
    .select({ epoch: members.sessionEpoch })
    .from(members)
    .where(eq(members.id, memberId));
  if (member === undefined) return;
  await tx.insertOnce(sessions, {
    ...session,
    ...ofRecovery,
    memberId,
    epoch: member.epoch,
    device: storableBeginning(session.device, MAX_DEVICE_LENGTH),
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    verifiedAtMs: nowMs,
  });
}

/**
 * Makes a member's sessions that began after a moment no longer recently verified, unless they were verified again since they
 * began.
 */
export async function setSessionsUnverified(
  tx: AccessTransaction,
  { memberId, afterMs }: { memberId: number; afterMs: number },
): Promise<void> {
  const { sessions } = tx.tables;
  const { authTimeMs, verifiedAtMs } = sessions;
  const began = and(eq(sessions.memberId, memberId), gt(authTimeMs, afterMs), eq(verifiedAtMs, authTimeMs));
  await tx.write(tx.update(sessions).set({ verifiedAtMs: null }).where(began));
}

/** Gives a staff member a new auth_token, which replaces the old one. A null `token` removes it. */
export async function setAuthToken(
  tx: AccessTransaction,
  change: { memberId: number; token: { digest: string; expiresAtMs: number } | null; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const { memberId, token, nowMs } = change;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        authTokenDigest: token?.digest ?? null,
        authTokenExpiresAtMs: token?.expiresAtMs ?? null,
        updatedAtMs: nowMs,
      })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.isDeleted, false),
          token === null ? undefined : eq(members.isPersonnel, true),
        ),
      ),
  );
  return rows === 1;
}

const SESSIONS_PER_STATEMENT = 1_000;

/** Records that sessions have just been used. A node whose clock is behind does not overwrite a later use. */
export async function touchSessions(
  db: Database,
  sessionIds: readonly number[],
  nowMs: number,
): Promise<void> {
  const { sessions } = db.tables;
  const ids = [...sessionIds].sort((one, other) => one - other);
  for (let start = 0; start < ids.length; start += SESSIONS_PER_STATEMENT) {
    const chunk = ids.slice(start, start + SESSIONS_PER_STATEMENT);
    await db.write(
      db
        .update(sessions)
        .set({ isCounted: sameSlot(db, nowMs), lastSeenAtMs: nowMs })
        .where(and(inArray(sessions.id, chunk), lt(sessions.lastSeenAtMs, nowMs))),
    );
  }
}

/** A counted member stays counted within its quarter of an hour. */
function sameSlot({ tables: { sessions } }: Database, nowMs: number) {
  const slotBeganMs = sql.raw(String(slotOf(nowMs) * SLOT_MS));
  return sql<boolean>`case when ${sessions.lastSeenAtMs} >= ${slotBeganMs} then ${sessions.isCounted} else false end`;
}

/** Records that a session is used, unless it was last used before `idleBeforeMs`, or later than this by another clock. */
export async function touchSession(
  db: Database,
  { sessionId, idleBeforeMs, nowMs }: { sessionId: number; idleBeforeMs: number; nowMs: number },
): Promise<void> {
  const { sessions } = db.tables;
  await db.write(
    db
      .update(sessions)
      .set({ isCounted: sameSlot(db, nowMs), lastSeenAtMs: nowMs })
      .where(
        and(
          eq(sessions.id, sessionId),
          gt(sessions.lastSeenAtMs, idleBeforeMs),
          lt(sessions.lastSeenAtMs, nowMs),
        ),
      ),
  );
}
