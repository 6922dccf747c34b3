import { and, eq } from 'drizzle-orm';
import type { PendingAwaits } from '../../tables/members.js';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Remembers the address a member wants to have, which counts once the ends awaited agree; false when they are gone. */
export async function setPendingAddress(
  tx: AccessTransaction,
  address: { memberId: number; email: string; emailKey: string; awaits: PendingAwaits; nowMs: number },
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
        updatedAtMs: address.nowMs,
      })
      .where(and(eq(members.id, address.memberId), eq(members.isDeleted, false))),
  );
  return rows === 1;
}
