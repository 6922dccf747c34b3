import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** An account granted to a member of staff. */
export interface PersonnelGrantRow {
  accountId: number;
  accountName: string;
  /** Whether the grant has an effect. Grants of disabled staff are kept without effect. */
  active: boolean;
}

/** A staff member's grants in accounts that are not deleted, by account id. */
export async function listPersonnelGrants(db: Database, personnelId: number): Promise<PersonnelGrantRow[]> {
  const { accounts, personnelGrants } = db.tables;
  return db
    .select({ accountId: accounts.id, accountName: accounts.name, active: personnelGrants.active })
    .from(personnelGrants)
    .innerJoin(accounts, eq(accounts.id, personnelGrants.accountId))
    .where(
      and(
        eq(personnelGrants.personnelId, personnelId),
        eq(personnelGrants.isDeleted, false),
        eq(accounts.isDeleted, false),
      ),
    )
    .orderBy(asc(accounts.id));
}
