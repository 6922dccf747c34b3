import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Notes that a new member came by the code of an affiliate, whose id it returns. Undefined, and nothing noted, for a code
 * that no active affiliate has.
 */
export async function insertReferral(
  tx: Database,
  { codeKey, memberId, nowMs }: { codeKey: string; memberId: number; nowMs: number },
): Promise<number | undefined> {
  const { affiliates, members, referrals } = tx.tables;
  const [affiliate] = await tx
    .select({ id: affiliates.memberId })
    .from(affiliates)
    .innerJoin(members, eq(members.id, affiliates.memberId))
    .where(and(eq(affiliates.codeKey, codeKey), eq(affiliates.active, true), eq(members.isDeleted, false)));
  if (affiliate === undefined) return undefined;
  await tx.insert(referrals, { memberId, affiliateId: affiliate.id, createdAtMs: nowMs });
  return affiliate.id;
}
