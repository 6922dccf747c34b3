import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';
import { mayHaveName } from './may-have-name.js';

/** Which members of some accounts, and how many of them. */
export interface MemberIdPage {
  afterId: number;
  limit: number;
  /** Only those whose username has this in it; normalised. */
  nameKey?: string | undefined;
}

/**
 * How far beyond the last id a page looks at first, and then. Without an end the database would read every membership
 * of the accounts and sort them for the sake of fifty.
 */
const SPANS = [16_384, Number.POSITIVE_INFINITY];

/**
 * The ids of the members of several accounts, each once, ascending, read from one index alone. Deleted members may be
 * among them, and members whose name has still to be compared.
 */
export async function listMemberIds(
  db: Database,
  accountIds: readonly number[],
  { afterId, limit, nameKey }: MemberIdPage,
): Promise<number[]> {
  const ids: number[] = [];
  let beginId = afterId;
  for (const span of SPANS) {
    const endId = beginId + span;
    ids.push(
      ...(await listIdsBetween(db, accountIds, { beginId, endId, limit: limit - ids.length, nameKey })),
    );
    if (ids.length >= limit) break;
    beginId = endId;
  }
  return ids;
}

/** The ids above one and up to another. */
async function listIdsBetween(
  db: Database,
  accountIds: readonly number[],
  range: { beginId: number; endId: number; limit: number; nameKey: string | undefined },
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
        amongIds(db, memberships.accountId, accountIds),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
        gt(memberId, range.beginId),
        Number.isFinite(range.endId) ? lte(memberId, range.endId) : undefined,
        mayHaveName(db, range.nameKey),
      ),
    )
    .groupBy(inOrder)
    .orderBy(inOrder)
    .limit(range.limit);
  return rows.map((row) => row.memberId);
}
