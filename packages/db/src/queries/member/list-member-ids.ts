import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { mayHaveName } from './may-have-name.js';

/** Which members of some accounts, and how many of them. */
export interface MemberIdPage {
  afterId: number;
  limit: number;
  /** Only those whose username has this in it; normalised. */
  nameKey?: string | undefined;
}

/**
 * The ids of the members of several accounts, each once, ascending, read from one index alone. Deleted members may be
 * among them, and members whose name has still to be compared.
 */
export async function listMemberIds(
  db: Database,
  accountIds: readonly number[],
  { afterId, limit, nameKey }: MemberIdPage,
): Promise<number[]> {
  const { memberships } = db.tables;
  const { memberId } = memberships;
  // By the column itself MariaDB would read all memberships in the order of the members, for the sake of the limit.
  const inOrder = sql`${memberId} + 0`;
  const rows = await db
    .select({ memberId })
    .from(memberships)
    .where(
      and(
        inArray(memberships.accountId, [...accountIds]),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
        gt(memberId, afterId),
        mayHaveName(db, nameKey),
      ),
    )
    .groupBy(inOrder)
    .orderBy(inOrder)
    .limit(limit);
  return rows.map((row) => row.memberId);
}
