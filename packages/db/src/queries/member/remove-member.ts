import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { clearMemberConnections } from '../social/clear-member-connections.js';
import { indexMemberNames } from './name-search/index-member-names.js';

/**
 * Deletes a member softly, so that the address, the username and the identities at providers stay reserved; the tokens
 * of those are gone with it. False when that was done before.
 */
export async function removeMember(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        isDeleted: true,
        deletedAtMs: nowMs,
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
