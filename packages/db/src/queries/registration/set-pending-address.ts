import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Remembers the address a member wants to have, which counts once it is proved; false when they are gone. */
export async function setPendingAddress(
  tx: AccessTransaction,
  address: { memberId: number; email: string; emailKey: string; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        pendingEmail: address.email,
        pendingEmailKey: address.emailKey,
        updatedAtMs: address.nowMs,
      })
      .where(and(eq(members.id, address.memberId), eq(members.isDeleted, false))),
  );
  return rows === 1;
}
