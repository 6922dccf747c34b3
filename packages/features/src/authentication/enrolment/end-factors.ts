import {
  type AccessTransaction,
  endAllSessions,
  endEnrolmentTickets,
  removeBackupCodes,
  removePasskeysOf,
  removeTotp,
  setAuthToken,
  setMemberFactors,
} from '@gatehouse/db';

/**
 * Ends every factor and session of a member, and their auth_token. Their sign-ins take one step until they add a factor.
 */
export async function endFactors(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  await removeTotp(tx, memberId);
  await removeBackupCodes(tx, memberId);
  await removePasskeysOf(tx, memberId);
  await endEnrolmentTickets(tx, { memberId, nowMs });
  await setMemberFactors(tx, memberId, { nowMs, secondFactor: false, emailStep: false });
  await endAllSessions(tx, memberId, { nowMs });
  await setAuthToken(tx, { memberId, token: null, nowMs });
}
