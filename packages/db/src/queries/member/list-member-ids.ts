import { and, desc, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { hasName } from './has-name.js';

const FIRST_SPAN = 1_024;
const SPAN_GROWTH = 8;

/** Which members of some accounts, and how many of them. */
export interface MemberIdPage {
  afterId: number;
  limit: number;
  /** Only those whose username has this in it; normalised. */
  nameKey?: string | undefined;
}

/**
 * The ids of the members of several accounts, each once, ascending. Deleted members may be among them.
 *
 * The members of each account are in order, but not those of all together, and sorting all of them for each page would
 * take as long as they are many. So the ids are looked through span by span, each wider than the one before, until a
 * page is full.
 */
export async function listMemberIds(
  db: Database,
  accountIds: readonly number[],
  { afterId, limit, nameKey }: MemberIdPage,
): Promise<number[]> {
  const lastId = await findLastMemberId(db);
  const ids: number[] = [];
  let from = afterId;
  for (let span = FIRST_SPAN; from < lastId && ids.length < limit; span *= SPAN_GROWTH) {
    ids.push(
      ...(await listSpan(db, accountIds, { from, to: from + span, limit: limit - ids.length, nameKey })),
    );
    from += span;
  }
  return ids;
}

async function findLastMemberId(db: Database): Promise<number> {
  const { id } = db.tables.members;
  const [last] = await db.select({ id }).from(db.tables.members).orderBy(desc(id)).limit(1);
  return last?.id ?? 0;
}

async function listSpan(
  db: Database,
  accountIds: readonly number[],
  { from, to, limit, nameKey }: { from: number; to: number; limit: number; nameKey: string | undefined },
): Promise<number[]> {
  const { members, memberships } = db.tables;
  const { memberId } = memberships;
  // A plain column would let MariaDB read every membership of the span in order of the members, for the sake of the limit.
  const inOrder = sql`${memberId} + 0`;
  const inSpan = and(
    inArray(memberships.accountId, [...accountIds]),
    eq(memberships.isDeleted, false),
    eq(memberships.active, true),
    gt(memberId, from),
    lte(memberId, to),
  );
  const ids = db.select({ memberId }).from(memberships);
  const found =
    nameKey === undefined
      ? ids.where(inSpan)
      : ids.innerJoin(members, eq(members.id, memberId)).where(and(inSpan, hasName(db, nameKey)));
  const rows = await found.groupBy(inOrder).orderBy(inOrder).limit(limit);
  return rows.map((row) => row.memberId);
}
