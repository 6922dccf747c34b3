import type { Database } from '../../database.js';

/** Links a member to a partner, which may sign them on from then on; false when they are linked already. */
export async function insertPartnerMember(
  tx: Database,
  { partnerId, memberId, nowMs }: { partnerId: number; memberId: number; nowMs: number },
): Promise<boolean> {
  return tx.insertOnce(tx.tables.partnerMembers, { partnerId, memberId, linkedAtMs: nowMs });
}
