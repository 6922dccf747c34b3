import type { Database } from '../../database.js';

/** Links a member to a partner, which may then sign them on. False when they are already linked. */
export async function insertPartnerMember(
  tx: Database,
  { partnerId, memberId, nowMs }: { partnerId: number; memberId: number; nowMs: number },
): Promise<boolean> {
  return tx.insertOnce(tx.tables.partnerMembers, { partnerId, memberId, linkedAtMs: nowMs });
}
