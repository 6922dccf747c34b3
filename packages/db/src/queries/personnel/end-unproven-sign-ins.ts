import { and, eq, isNull } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { NO_PENDING_ADDRESS } from '../access/no-pending-address.js';

/**
 * Ends what somebody who never proved the address of a member of staff may have left there: the password, provider
 * profiles, a pending address, partner consents and familiar addresses. Sessions and factors are ended apart. The member
 * counts as one who was invited and has not joined. False if the owner has proven the address.
 * @param password a hash that no password matches
 */
export async function endUnprovenSignIns(
  tx: AccessTransaction,
  { memberId, password, nowMs }: { memberId: number; password: string; nowMs: number },
): Promise<boolean> {
  const { loginFamiliarity, members, partnerMembers, socialConnections } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        password,
        passwordIsPlain: false,
        hasPassword: false,
        passwordRounds: null,
        passwordListedAtMs: null,
        passwordChangedAtMs: nowMs,
        lastLoginAtMs: null,
        ...NO_PENDING_ADDRESS,
        updatedAtMs: nowMs,
      })
      .where(and(eq(members.id, memberId), isNull(members.ownerProvenAtMs))),
  );
  if (rows === 0) return false;
  await tx.write(
    tx.update(partnerMembers).set({ consentedAtMs: null }).where(eq(partnerMembers.memberId, memberId)),
  );
  await tx.write(tx.delete(loginFamiliarity).where(eq(loginFamiliarity.memberId, memberId)));
  await tx.write(tx.delete(socialConnections).where(eq(socialConnections.memberId, memberId)));
  return true;
}
