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

/** How far beyond the last id a page looks at first. */
const FIRST_SPAN = 16_384;
/** A page that is still not full after so many spans reads on without an end; a search, which finds few, does at once. */
const MOST_SPANS = 2;
const WIDEST_FACTOR = 64;

/**
 * The ids of the members of several accounts, each once, ascending, read from one index alone. Deleted members may be
 * among them, and members whose name has still to be compared.
 *
 * It looks through a span of ids at a time, the next one as wide as the last one was sparse: without an end the database
 * would read every membership of the accounts and sort them for the sake of fifty.
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
