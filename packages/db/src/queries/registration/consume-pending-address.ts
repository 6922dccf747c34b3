import { and, eq, sql } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isActiveMember } from '../access/is-active-member.js';
import { NO_PENDING_ADDRESS } from '../access/no-pending-address.js';

/**
 * Replaces a member's address by the pending one they have proved. The login identifier changes too if it was
 * the old address, or if there was none. The proof of ownership applied to the old address and is cleared, and
 * sign-ins under way, which may have proved it, do not get their session. False if another address is pending, or the member is gone.
 * @throws {DuplicateKeyError} if somebody else has that address by now
 */
export async function consumePendingAddress(
  tx: AccessTransaction,
  { memberId, emailKey, nowMs }: { memberId: number; emailKey: string; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const waiting = and(
    eq(members.id, memberId),
    eq(members.pendingEmailKey, emailKey),
    isActiveMember(tx.tables, nowMs),
  );
  const { sidKey, emailKey: oldKey, pendingEmail } = members;
  const [row] = await tx.select({ sidKey, oldKey, pendingEmail }).from(members).where(waiting);
  if (row === undefined || row.pendingEmail === null) return false;
  const email = row.pendingEmail;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        email,
        emailKey,
        emailConfirmedAtMs: nowMs,
        ownerProvenAtMs: null,
        factorEpoch: sql`${members.factorEpoch} + 1`,
        ...NO_PENDING_ADDRESS,
        updatedAtMs: nowMs,
        ...(row.oldKey === null || row.sidKey === row.oldKey ? { sid: email, sidKey: emailKey } : {}),
      })
      .where(and(waiting, eq(sidKey, row.sidKey))),
  );
  return rows === 1;
}
