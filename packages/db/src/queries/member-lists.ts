import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { type ListedMember, listedMemberColumns, type MemberPlace, placeColumns } from './member-columns.js';
import type { MemberScope } from './member-scope.js';
import { countUpTo, idList, inIds, pinnedTo } from './paging.js';
import { prepareRead } from './prepared.js';

/** The start of a page by ascending id, and its size. */
interface IdPage {
  afterId: number;
  limit: number;
}

/** The first span of ids that a page reads after the last id. */
const FIRST_SPAN = 16_384;

/** After this many spans without a full page, the last read has no upper bound. */
const MAX_SPANS = 2;

const WIDEST_FACTOR = 64;

/**
 * The member ids of several accounts, each once, ascending, from one index. They may include deleted members.
 * It reads one span of ids at a time and widens the span when ids are sparse. Without a bound the database would
 * read and sort every membership to return fifty.
 */
export async function listMemberIds(
  db: Database,
  accountIds: readonly number[],
  { afterId, limit }: IdPage,
): Promise<number[]> {
  const ids: number[] = [];
  let beginId = afterId;
  let span = FIRST_SPAN;
  for (let spans = 1; ids.length < limit && Number.isFinite(beginId); spans += 1) {
    const endId = spans > MAX_SPANS ? Number.POSITIVE_INFINITY : beginId + span;
    const missing = limit - ids.length;
    const found = await listIdsBetween(db, accountIds, { beginId, endId, limit: missing });
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
  range: { beginId: number; endId: number; limit: number },
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
        inIds(db, memberships.accountId, accountIds),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
        gt(memberId, range.beginId),
        Number.isFinite(range.endId) ? lte(memberId, range.endId) : undefined,
      ),
    )
    .groupBy(inOrder)
    .orderBy(inOrder)
    .limit(range.limit);
  return rows.map((row) => row.memberId);
}

const preparedLiveMembers = prepareRead((db) => {
  const { members } = db.tables;
  return db
    .select(listedMemberColumns(db.tables))
    .from(members)
    .where(and(inIds(db, members.id, sql.placeholder('ids')), eq(members.isDeleted, false)))
    .orderBy(asc(members.id));
});

/** A member with their membership of the given account. */
export type AccountMemberRow = ListedMember & MemberPlace;

/** The members of one account by ascending id, without deleted ones; `afterId` pages on. */
export function listMembersOfAccount(
  db: Database,
  accountId: number,
  { limit, afterId = 0 }: { limit: number; afterId?: number },
): Promise<AccountMemberRow[]> {
  return preparedMembersOfAccount(db, { accountId, afterId, limit });
}

const preparedMembersOfAccount = prepareRead(selectMembersOfAccount);

/** The select of a page of the members of an account. */
export function selectMembersOfAccount(db: Database) {
  const { members, memberships } = db.tables;
  return db
    .select({ ...listedMemberColumns(db.tables), ...placeColumns(db.tables) })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberships.memberId))
    .where(
      and(
        pinnedTo(db, memberships.accountId, sql.placeholder('accountId')),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
        gt(memberships.memberId, sql.placeholder('afterId')),
        eq(members.isDeleted, false),
      ),
    )
    .orderBy(
      asc(memberships.accountId),
      asc(memberships.isDeleted),
      asc(memberships.active),
      asc(memberships.memberId),
    )
    .limit(sql.placeholder('limit'));
}

/** How many live memberships an account has, at most `MAX_COUNTED`. */
export function countMembersOfAccount(db: Database, accountId: number): Promise<number> {
  const { memberships } = db.tables;
  const isLive = and(eq(memberships.isDeleted, false), eq(memberships.active, true));
  return countUpTo(db, memberships, and(eq(memberships.accountId, accountId), isLive));
}

/** The members of any of the accounts, each once, by ascending id, without deleted ones. */
async function listMembersOfAccounts(
  db: Database,
  accountIds: readonly number[],
  page: IdPage,
): Promise<ListedMember[]> {
  const [accountId, ...others] = accountIds;
  if (accountId === undefined) return [];
  if (others.length === 0) return listMembersOfAccount(db, accountId, page);
  const found: ListedMember[] = [];
  let { afterId } = page;
  for (;;) {
    const limit = page.limit - found.length;
    const ids = await listMemberIds(db, accountIds, { afterId, limit });
    const lastId = ids.at(-1);
    if (lastId === undefined) return found;
    found.push(...(await preparedLiveMembers(db, { ids: idList(db, ids) })));
    if (ids.length < limit || found.length === page.limit) return found;
    afterId = lastId;
  }
}

/** The live members of the accounts in scope, each once, by ascending id. */
export async function listMembers(db: Database, scope: MemberScope, page: IdPage): Promise<ListedMember[]> {
  return scope.all ? preparedForAll(db, { ...page }) : listMembersOfAccounts(db, scope.accountIds, page);
}

const preparedForAll = prepareRead((db) => {
  const { members } = db.tables;
  return db
    .select(listedMemberColumns(db.tables))
    .from(members)
    .where(and(gt(members.id, sql.placeholder('afterId')), eq(members.isDeleted, false)))
    .orderBy(asc(members.id))
    .limit(sql.placeholder('limit'));
});
