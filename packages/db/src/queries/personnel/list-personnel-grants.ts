import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { countUpTo } from '../page/count-up-to.js';

/** An account granted to a member of staff. */
export interface PersonnelGrantRow {
  accountId: number;
  accountName: string;
  /** Whether the grant has an effect. Grants of disabled staff are kept without effect. */
  active: boolean;
}

/** A staff member's grants in accounts that are not deleted, by account id; without `limit` all of them. */
export async function listPersonnelGrants(
  db: Database,
  personnelId: number,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<PersonnelGrantRow[]> {
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
    .orderBy(asc(accounts.id))
    .limit(limit);
}

/** How many there are, at most `MOST_COUNTED`; those in deleted accounts, too. */
export function countPersonnelGrants(db: Database, personnelId: number): Promise<number> {
  const { personnelGrants } = db.tables;
  const isTheirs = and(eq(personnelGrants.personnelId, personnelId), eq(personnelGrants.isDeleted, false));
  return countUpTo(db, personnelGrants, isTheirs);
}
