import { and, asc, eq, gt, isNull, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type PartnerRow, partnerColumns } from './partner-columns.js';
import { isPartner, type PartnerName } from './partner-name.js';

/** A partner with its live secrets, oldest first. */
export interface PartnerCredential extends PartnerRow {
  secrets: { id: number; sealed: string }[];
}

/** The partner with this number or name, and its secrets live at `nowMs`, in one read. */
export async function findPartnerCredential(
  db: Database,
  name: PartnerName,
  nowMs: number,
): Promise<PartnerCredential | undefined> {
  const { partners, partnerSecrets } = db.tables;
  const isLive = or(isNull(partnerSecrets.retiresAtMs), gt(partnerSecrets.retiresAtMs, nowMs));
  const rows = await db
    .select({
      partner: partnerColumns(db.tables),
      secretId: partnerSecrets.id,
      sealed: partnerSecrets.secret,
    })
    .from(partners)
    .leftJoin(partnerSecrets, and(eq(partnerSecrets.partnerId, partners.id), isLive))
    .where(isPartner(db.tables, name))
    .orderBy(asc(partnerSecrets.id));
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    ...first.partner,
    secrets: rows.flatMap(({ secretId, sealed }) =>
      secretId === null || sealed === null ? [] : [{ id: secretId, sealed }],
    ),
  };
}
