import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { amongIds } from '../page/among-ids.js';
import { mayHaveName } from './may-have-name.js';

/** Filters and bounds for the member ids of several accounts. */
export interface MemberIdPage {
  afterId: number;
  limit: number;
  /** Only members whose normalised username contains this. */
  nameKey?: string | undefined;
}

/** The first span of ids that a page reads after the last id. */
const FIRST_SPAN = 16_384;
/**
 * After this many spans without a full page, the last read has no upper bound. A search, which matches few,
 * has none from the start.
 */
const MOST_SPANS = 2;
const WIDEST_FACTOR = 64;

/**
 * The member ids of several accounts, each once, ascending, from one index. They may include deleted members,
 * and members whose name must still be compared. It reads one span of ids at a time and widens the span when
 * ids are sparse. Without a bound the database would read and sort every membership to return fifty.
 */
export async function listMemberIds(
  db: Database,
  accountIds: readonly number[],
  { afterId, limit, nameKey }: MemberIdPage,
): Promise<number[]> {
  const ids: number[] = [];
  let beginId = afterId;
  let span = FIRST_SPAN;
  for (let spans = 1; ids.length < limit && Number.isFinite(beginId); spans += 1) {
    const endId = nameKey !== undefined || spans > MOST_SPANS ? Number.POSITIVE_INFINITY : beginId + span;
    const missing = limit - ids.length;
    const found = await listIdsBetween(db, accountIds, { beginId, endId, limit: missing, nameKey });
    ids.push(...found);
    beginId = endId;
    span *= Math.min(WIDEST_FACTOR, Math.ceil((2 * missing) / Math.max(found.length, 1)));
  }
  return ids;
}

/** The ids between two bounds. */
async function listIdsBetween(
  db: Database,
  accountIds: readonly number[],
  range: { beginId: number; endId: number; limit: number; nameKey: string | undefined },
): Promise<number[]> {
  const { memberships } = db.tables;
  const { memberId } = memberships;
  // Ordered by the plain column, MariaDB would read all memberships in member order because of the limit.
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
