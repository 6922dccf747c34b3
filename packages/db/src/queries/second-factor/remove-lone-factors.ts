import { and, eq, isNotNull } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { setMemberFactors } from './member-factors.js';

/**
 * Removes the passkeys, the authenticator app, also one that awaits its first code, and the backup codes of a member
 * whose sign-ins take no second step, or one that a mailed code can be: who reads the mails needs no backup code.
 * Sign-ins begun before are refused.
 * @returns how many passkeys and apps were removed
 */
export async function removeLoneFactors(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<number> {
  const { backupCodes, members, passkeys, totpFactors } = tx.tables;
  const [member] = await tx
    .select({ secondFactor: members.secondFactor })
    .from(members)
    .where(eq(members.id, memberId));
  if (member === undefined || (member.secondFactor && (await hasAppOrPasskey(tx, memberId)))) return 0;
  const removed = await tx.write(tx.delete(passkeys).where(eq(passkeys.memberId, memberId)));
  const apps = await tx.write(tx.delete(totpFactors).where(eq(totpFactors.memberId, memberId)));
  await tx.write(tx.delete(backupCodes).where(eq(backupCodes.memberId, memberId)));
  await setMemberFactors(tx, memberId, { nowMs });
  return removed + apps;
}

async function hasAppOrPasskey(tx: AccessTransaction, memberId: number): Promise<boolean> {
  const { passkeys, totpFactors } = tx.tables;
  const keys = await tx
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(eq(passkeys.memberId, memberId))
    .limit(1);
  if (keys.length > 0) return true;
  const apps = await tx
    .select({ id: totpFactors.id })
    .from(totpFactors)
    .where(and(eq(totpFactors.memberId, memberId), isNotNull(totpFactors.confirmedAtMs)));
  return apps.length > 0;
}
