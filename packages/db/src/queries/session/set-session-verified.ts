import { and, eq, isNull, or } from 'drizzle-orm';
import { storableBeginning } from '../../storable-beginning.js';
import { LONGEST_DEVICE } from '../../tables/sessions.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isOfFamily } from '../access/is-of-family.js';
import type { KeptSession } from './end-all-sessions.js';

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
    device: storableBeginning(session.device, LONGEST_DEVICE),
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    verifiedAtMs: nowMs,
  });
}
