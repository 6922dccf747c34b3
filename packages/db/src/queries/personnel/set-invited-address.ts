import { eq, sql } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { NO_PENDING_ADDRESS } from '../access/no-pending-address.js';

/**
 * Replaces the address of somebody who was invited to the staff and has not joined, unconfirmed. Links and codes that were
 * mailed to the one of before are void. The login identifier changes too if it was that address.
 * @throws {DuplicateKeyError} if somebody else has the new one
 */
export async function setInvitedAddress(
  tx: AccessTransaction,
  { memberId, email, emailKey, nowMs }: { memberId: number; email: string; emailKey: string; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  const isThem = eq(members.id, memberId);
  const [row] = await tx
    .select({ sidKey: members.sidKey, oldKey: members.emailKey })
    .from(members)
    .where(isThem);
  await tx.write(
    tx
      .update(members)
      .set({
        email,
        emailKey,
        emailConfirmedAtMs: null,
        ...(row !== undefined && row.sidKey === row.oldKey ? { sid: email, sidKey: emailKey } : {}),
        factorEpoch: sql`${members.factorEpoch} + 1`,
        ...NO_PENDING_ADDRESS,
        updatedAtMs: nowMs,
      })
      .where(isThem),
  );
}
