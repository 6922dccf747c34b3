import { and, eq, exists, inArray, type SQL, sql } from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';
import type { Database } from '../../database.js';
import { isActiveMember } from '../access/is-active-member.js';

/** The roles that count as owner of an account. */
const OWNERS = [0, 1];

/** True if the column has the id of a live member of role 0 or 1 of the account, at a moment. */
export function isLiveOwner(db: Database, memberId: MySqlColumn, nowMs: number): SQL {
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
          isActiveMember(db.tables, nowMs),
        ),
      ),
  );
}
