import { asc, gt, inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type PartnerRow, partnerColumns } from './partner-columns.js';

/** A partner with the public facts about its secrets. */
export interface ListedPartner extends PartnerRow {
  secrets: { id: number; createdAtMs: number; retiresAtMs: number | null; lastUsedAtMs: number | null }[];
}

/** All partners by ascending id, deactivated ones included; `afterId` pages on. */
export async function listPartners(
  db: Database,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<ListedPartner[]> {
  const { partners, partnerSecrets } = db.tables;
  const rows = await db
    .select(partnerColumns(db.tables))
    .from(partners)
    .where(gt(partners.id, afterId))
    .orderBy(asc(partners.id))
    .limit(limit);
  if (rows.length === 0) return [];
  const { id, partnerId, createdAtMs, retiresAtMs, lastUsedAtMs } = partnerSecrets;
  const secrets = await db
    .select({ id, partnerId, createdAtMs, retiresAtMs, lastUsedAtMs })
    .from(partnerSecrets)
    .where(
      inArray(
        partnerId,
        rows.map((row) => row.id),
      ),
    )
    .orderBy(asc(id));
  return rows.map((row) => ({
    ...row,
    secrets: secrets.flatMap(({ partnerId: owner, ...secret }) => (owner === row.id ? [secret] : [])),
  }));
}
