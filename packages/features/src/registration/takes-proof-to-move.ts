import { type Database, findMemberFactors } from '@gatehouse/db';

/**
 * Whether the next address of a member takes a proof that its owner is the member, because they have a second factor,
 * whether they or staff requested the change. A click in the mail alone would tie somebody's address to the factors of another person,
 * and a reset ends none of these.
 */
export async function takesProofToMove(db: Database, memberId: number): Promise<boolean> {
  const factors = await findMemberFactors(db, memberId);
  if (factors === undefined) return false;
  const { secondFactor, totpConfirmedAtMs, passkeyRpIds } = factors;
  return secondFactor || totpConfirmedAtMs !== null || passkeyRpIds.length > 0;
}
