import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { countUpTo } from '../page/count-up-to.js';

/** How many live memberships an account has, at most `MOST_COUNTED`. */
export function countMembersOfAccount(db: Database, accountId: number): Promise<number> {
  const { memberships } = db.tables;
  const isLive = and(eq(memberships.isDeleted, false), eq(memberships.active, true));
  return countUpTo(db, memberships, and(eq(memberships.accountId, accountId), isLive));
}
