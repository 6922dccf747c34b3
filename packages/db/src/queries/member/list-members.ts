import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { listMembersOfAccount } from './list-members-of-account.js';
import { type MemberRow, memberColumns } from './member-columns.js';

/** The accounts whose members may be seen. */
export type MemberScope =
  | { readonly all: true }
  | { readonly all: false; readonly accountIds: readonly number[] };

/** Where a page by ascending id begins, and how many rows it has. */
interface IdPage {
  afterId: number;
  limit: number;
}

/** The members of the accounts in scope, each once, by ascending id; deleted ones are left out. */
export async function listMembers(db: Database, scope: MemberScope, page: IdPage): Promise<MemberRow[]> {
  if (scope.all) return listAll(db, page);
  const [accountId, ...others] = scope.accountIds;
  if (accountId === undefined) return [];
  return others.length === 0
    ? listMembersOfAccount(db, accountId, page)
    : listOfMany(db, scope.accountIds, page);
}

function listAll(db: Database, { afterId, limit }: IdPage): Promise<MemberRow[]> {
  const { members } = db.tables;
  return db
    .select(memberColumns(db.tables))
    .from(members)
    .where(and(gt(members.id, afterId), eq(members.isDeleted, false)))
    .orderBy(asc(members.id))
    .limit(limit);
}

/** The ids come from the index of the memberships alone, because those of many accounts have to be sorted. */
async function listOfMany(
  db: Database,
  accountIds: readonly number[],
  { afterId, limit }: IdPage,
): Promise<MemberRow[]> {
  const { memberships } = db.tables;
  const { memberId } = memberships;
  const found: MemberRow[] = [];
  let lastId = afterId;
  for (;;) {
    const wanted = limit - found.length;
    const ids = await db
      .select({ memberId })
      .from(memberships)
      .where(
        and(
          inArray(memberships.accountId, [...accountIds]),
          eq(memberships.isDeleted, false),
          eq(memberships.active, true),
          gt(memberId, lastId),
        ),
      )
      .groupBy(memberId)
      .orderBy(asc(memberId))
      .limit(wanted);
    const last = ids.at(-1);
    if (last === undefined) return found;
    found.push(
      ...(await listLive(
        db,
        ids.map((row) => row.memberId),
      )),
    );
    if (ids.length < wanted || found.length === limit) return found;
    lastId = last.memberId;
  }
}

function listLive(db: Database, ids: number[]): Promise<MemberRow[]> {
  const { members } = db.tables;
  return db
    .select(memberColumns(db.tables))
    .from(members)
    .where(and(inArray(members.id, ids), eq(members.isDeleted, false)))
    .orderBy(asc(members.id));
}
