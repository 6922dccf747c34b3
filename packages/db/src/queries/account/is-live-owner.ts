import { and, eq, exists, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';
import type { Database } from '../../database.js';
import { ARCHIVED } from '../archived.js';

/** The roles that own an account. */
const OWNERS = [0, 1];

/** True when the column holds the id of a live member of role 0 or 1 of the account. */
export function isLiveOwner(db: Database, memberId: MySqlColumn): SQL {
  const { accounts, members, memberships } = db.tables;
  return exists(
    db
      .select({ one: sql`1` })
      .from(memberships)
      .innerJoin(members, eq(members.id, memberships.memberId))
      .where(
        and(
          eq(memberships.memberId, memberId),
          eq(memberships.accountId, accounts.id),
          inArray(memberships.roleType, OWNERS),
          eq(memberships.isDeleted, false),
          eq(memberships.active, true),
          eq(members.isDeleted, false),
          ne(members.roleType, ARCHIVED),
        ),
      ),
  );
}
