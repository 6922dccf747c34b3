import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { baseRole } from '../access/ban-columns.js';
import { countUpTo } from '../page/count-up-to.js';

/** A member of staff who was granted an account. */
export interface AccountGrantRow {
  personnelId: number;
  username: string;
  firstName: string;
  lastName: string;
  email: string | null;
  roleType: number;
  role: string;
  /** Whether the grant is in force, apart from whether they are still staff. */
  active: boolean;
  isPersonnel: boolean;
}

/** The select of the staff granted an account, by their id. */
export function selectGrantsOfAccount(db: Database) {
  const { members, personnelGrants } = db.tables;
  const { username, firstName, lastName, email, role, isPersonnel } = members;
  const roleType = baseRole(db.tables);
  const { personnelId, active } = personnelGrants;
  return db
    .select({ personnelId, username, firstName, lastName, email, roleType, role, active, isPersonnel })
    .from(personnelGrants)
    .innerJoin(members, eq(members.id, personnelId))
    .where(
      and(
        eq(personnelGrants.accountId, sql.placeholder('accountId')),
        eq(personnelGrants.isDeleted, false),
        eq(members.isDeleted, false),
      ),
    )
    .orderBy(asc(personnelId))
    .limit(sql.placeholder('limit'));
}

/** How many there are, at most `MOST_COUNTED`. */
export function countGrantsOfAccount(db: Database, accountId: number): Promise<number> {
  const { personnelGrants } = db.tables;
  return countUpTo(
    db,
    personnelGrants,
    and(eq(personnelGrants.accountId, accountId), eq(personnelGrants.isDeleted, false)),
  );
}
