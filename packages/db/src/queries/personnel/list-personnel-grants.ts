import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { inAccountScope } from '../membership/in-account-scope.js';
import type { MemberScope } from '../membership/member-scope.js';
import { countUpTo } from '../page/count-up-to.js';

/** An account granted to a member of staff. */
export interface PersonnelGrantRow {
  accountId: number;
  accountName: string;
  /** Whether the grant has an effect. Grants of disabled staff are kept without effect. */
  active: boolean;
}

/** A staff member's grants in accounts that are not deleted, by account id: all of them, or those in scope. */
export async function listPersonnelGrants(
  db: Database,
  personnelId: number,
  { scope = { all: true }, limit = Number.MAX_SAFE_INTEGER }: { scope?: MemberScope; limit?: number } = {},
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
        inAccountScope(db, personnelGrants.accountId, scope),
      ),
    )
    .orderBy(asc(accounts.id))
    .limit(limit);
}

/** The accounts granted to a staff member, closed and deleted ones included, by ascending id. */
export async function listGrantedAccountIds(db: Database, personnelId: number): Promise<number[]> {
  const { accountId, isDeleted, personnelId: holder } = db.tables.personnelGrants;
  const rows = await db
    .select({ accountId })
    .from(db.tables.personnelGrants)
    .where(and(eq(holder, personnelId), eq(isDeleted, false)))
    .orderBy(asc(accountId));
  return rows.map((row) => row.accountId);
}

/** How many there are, at most `MOST_COUNTED`; those in deleted accounts, too. */
export function countPersonnelGrants(
  db: Database,
  personnelId: number,
  scope: MemberScope = { all: true },
): Promise<number> {
  const { personnelGrants } = db.tables;
  const isTheirs = and(eq(personnelGrants.personnelId, personnelId), eq(personnelGrants.isDeleted, false));
  const isInScope = inAccountScope(db, personnelGrants.accountId, scope);
  return countUpTo(db, personnelGrants, and(isTheirs, isInScope));
}
