import { and, eq } from 'drizzle-orm';
import type { PendingAwaits } from '../../tables/members.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isActiveMember } from '../access/is-active-member.js';

/** Records that one mailbox agreed to a change of address. False unless both were awaited for this address. */
export async function setPendingAwaits(
  tx: AccessTransaction,
  change: { memberId: number; emailKey: string; awaits: Exclude<PendingAwaits, 'both'>; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ pendingAwaits: change.awaits, updatedAtMs: change.nowMs })
      .where(
        and(
          eq(members.id, change.memberId),
          eq(members.pendingEmailKey, change.emailKey),
          eq(members.pendingAwaits, 'both'),
          isActiveMember(tx.tables, change.nowMs),
        ),
      ),
  );
  return rows === 1;
}
