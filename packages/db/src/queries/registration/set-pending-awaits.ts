import { and, eq } from 'drizzle-orm';
import type { PendingAwaits } from '../../tables/members.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isActiveMember } from '../access/is-active-member.js';

/** Records which mailboxes a change of address still awaits. False unless both were, or what `from` says, for this address. */
export async function setPendingAwaits(
  tx: AccessTransaction,
  change: {
    memberId: number;
    emailKey: string;
    awaits: Exclude<PendingAwaits, 'both'>;
    from?: PendingAwaits;
    nowMs: number;
  },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        pendingAwaits: change.awaits,
        // The old mailbox has agreed for good.
        ...(change.awaits === 'new' ? { pendingEffectiveAtMs: null } : {}),
        updatedAtMs: change.nowMs,
      })
      .where(
        and(
          eq(members.id, change.memberId),
          eq(members.pendingEmailKey, change.emailKey),
          eq(members.pendingAwaits, change.from ?? 'both'),
          isActiveMember(tx.tables, change.nowMs),
        ),
      ),
  );
  return rows === 1;
}
