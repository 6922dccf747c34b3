import { and, desc, eq, gt, isNull, or } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** A partner's newest secret that is live at `nowMs`, and when it retires, if ever. */
export async function findNewestPartnerSecret(
  db: Database,
  partnerId: number,
  nowMs: number,
): Promise<{ id: number; retiresAtMs: number | null } | undefined> {
  const { partnerSecrets } = db.tables;
  const { id, retiresAtMs } = partnerSecrets;
  const [row] = await db
    .select({ id, retiresAtMs })
    .from(partnerSecrets)
    .where(and(eq(partnerSecrets.partnerId, partnerId), or(isNull(retiresAtMs), gt(retiresAtMs, nowMs))))
    .orderBy(desc(id))
    .limit(1);
  return row;
}
