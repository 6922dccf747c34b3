import type { Database } from '../../database.js';

/** The terms of an affiliate; the commission is in hundredths of a percent. */
export interface AffiliateTerms {
  code: string;
  codeKey: string;
  commissionBasisPoints: number;
  payoutEmail: string;
  active: boolean;
}

/**
 * Makes a member an affiliate.
 * @throws DuplicateKeyError when the member is one already, or the code is another's
 */
export async function insertAffiliate(
  tx: Database,
  { nowMs, ...affiliate }: AffiliateTerms & { memberId: number; nowMs: number },
): Promise<void> {
  await tx.insert(tx.tables.affiliates, { ...affiliate, createdAtMs: nowMs, updatedAtMs: nowMs });
}
