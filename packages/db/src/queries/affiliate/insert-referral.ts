import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Records which affiliate's code a new member used, and returns the affiliate's id. Undefined, without a record,
 * when no active affiliate has the code.
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
