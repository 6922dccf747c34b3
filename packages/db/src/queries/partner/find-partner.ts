import type { Database } from '../../database.js';
import { type PartnerRow, partnerColumns } from './partner-columns.js';
import { isPartner, type PartnerName } from './partner-name.js';

/** The partner of this number or name, deactivated ones included. */
export async function findPartner(db: Database, name: PartnerName): Promise<PartnerRow | undefined> {
  const { partners } = db.tables;
  const [row] = await db.select(partnerColumns(db.tables)).from(partners).where(isPartner(db.tables, name));
  return row;
}
