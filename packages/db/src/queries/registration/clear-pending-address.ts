import { and, eq, isNotNull } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { NO_PENDING_ADDRESS } from '../access/no-pending-address.js';

/** Cancels a pending change of address. False when there was none. */
export async function clearPendingAddress(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ ...NO_PENDING_ADDRESS, updatedAtMs: nowMs })
      .where(and(eq(members.id, memberId), isNotNull(members.pendingEmail))),
  );
  return rows === 1;
}
