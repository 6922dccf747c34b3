import { and, eq } from 'drizzle-orm';
import type { PendingAwaits } from '../../tables/members.js';
import type { AccessTransaction } from '../access/access-transaction.js';

/**
 * Stores the address a member wants. It takes effect once every awaited mailbox agrees; null where staff ask, who
 * await the new one. False when the member is gone.
 */
export async function setPendingAddress(
  tx: AccessTransaction,
  address: { memberId: number; email: string; emailKey: string; awaits: PendingAwaits | null; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        pendingEmail: address.email,
        pendingEmailKey: address.emailKey,
        pendingAwaits: address.awaits,
        pendingSinceMs: address.nowMs,
        pendingEffectiveAtMs: null,
        updatedAtMs: address.nowMs,
      })
      .where(and(eq(members.id, address.memberId), eq(members.isDeleted, false))),
  );
  return rows === 1;
}
