import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { AffiliateTerms } from './insert-affiliate.js';

/**
 * Changes the terms of an affiliate. False when the member is not one.
 * @throws DuplicateKeyError when the code is another's
 */
export async function setAffiliate(
  tx: Database,
  { memberId, nowMs, ...terms }: Partial<AffiliateTerms> & { memberId: number; nowMs: number },
): Promise<boolean> {
  const { affiliates } = tx.tables;
  const rows = await tx.write(
    tx
      .update(affiliates)
      .set({ ...terms, updatedAtMs: nowMs })
      .where(eq(affiliates.memberId, memberId)),
  );
  return rows === 1;
}
