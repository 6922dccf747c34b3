import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from './access-transaction.js';
import { isLiveOrLeaving } from './is-leaving.js';
import { type MemberRow, memberColumns } from './member-columns.js';

/** The fields of a member that a change needs. */
export interface LockedMember extends MemberRow {
  usernameKey: string;
  emailKey: string | null;
  pendingEmail: string | null;
  /** When they stopped being staff. Null for current staff and for members who never were. */
  personnelEndedAtMs: number | null;
}

/**
 * Locks a member who is not deleted until the transaction ends. A decision made from this row still holds when
 * it is written.
 * @param which with `orLeaving` also one who deleted themselves and is not erased yet
 */
export async function lockMember(
  tx: AccessTransaction,
  { memberId, nowMs, orLeaving = false }: { memberId: number; nowMs: number; orLeaving?: boolean },
): Promise<LockedMember | undefined> {
  const { members } = tx.tables;
  const isLockable = orLeaving ? isLiveOrLeaving(tx.tables) : eq(members.isDeleted, false);
  const isLive = and(eq(members.id, memberId), isLockable);
  const held = await tx.write(tx.update(members).set({ updatedAtMs: nowMs }).where(isLive));
  if (held === 0) return undefined;
  const { usernameKey, emailKey, pendingEmail, personnelEndedAtMs } = members;
  const [row] = await tx
    .select({ ...memberColumns(tx.tables), usernameKey, emailKey, pendingEmail, personnelEndedAtMs })
    .from(members)
    .where(isLive);
  return row;
}
