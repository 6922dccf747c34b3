import { type Database, findMemberFactors, type MemberAddress } from '@gatehouse/db';

/**
 * Whether the next address of a member takes the password or a session, because they have a second factor. A click
 * in the mail alone would tie somebody's address to the factors of whoever asked for it, and a reset ends none of these.
 * What staff ask needs it not: then the member may have lost the password with the mailbox.
 */
export async function takesProofToMove(
  tx: Database,
  { id, pendingAwaits }: Pick<MemberAddress, 'id' | 'pendingAwaits'>,
): Promise<boolean> {
  if (pendingAwaits === null) return false;
  const factors = await findMemberFactors(tx, id);
  if (factors === undefined) return false;
  const { secondFactor, totpConfirmedAtMs, passkeyRpIds } = factors;
  return secondFactor || totpConfirmedAtMs !== null || passkeyRpIds.length > 0;
}
