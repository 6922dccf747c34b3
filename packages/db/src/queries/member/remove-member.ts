import { and, eq, isNull } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isLeaving } from '../access/is-leaving.js';
import { clearMemberConnections } from '../social/clear-member-connections.js';
import { indexMemberNames } from './name-search/index-member-names.js';

/**
 * Soft-deletes a member. The address, username and provider identities stay reserved; the identities' tokens
 * are removed. False if they were already deleted.
 * @param removal `deletedById` is the member of staff who deletes them
 */
export async function removeMember(
  tx: AccessTransaction,
  { memberId, deletedById, nowMs }: { memberId: number; deletedById?: number; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        isDeleted: true,
        deletedAtMs: nowMs,
        deletedById: deletedById ?? null,
        updatedAtMs: nowMs,
        authTokenDigest: null,
        authTokenExpiresAtMs: null,
      })
      .where(and(eq(members.id, memberId), eq(members.isDeleted, false))),
  );
  if (rows === 0) return false;
  await clearMemberConnections(tx, { memberId, nowMs });
  await indexMemberNames(tx, [memberId]);
  return true;
}

/**
 * Stops a member who deleted themselves from coming back. They are erased at the time that was set, and staff can restore them
 * until then. False if staff did it earlier, or the member did not delete themselves.
 */
export async function removeLeavingMember(
  tx: AccessTransaction,
  { memberId, deletedById, nowMs }: { memberId: number; deletedById: number; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ deletedById, updatedAtMs: nowMs })
      .where(and(eq(members.id, memberId), isLeaving(tx.tables), isNull(members.deletedById))),
  );
  return rows === 1;
}
