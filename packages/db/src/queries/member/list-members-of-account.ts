import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import {
  type ListedMember,
  listedMemberColumns,
  type MemberPlace,
  placeColumns,
} from '../access/member-columns.js';
import { pinnedTo } from '../page/pinned-to.js';
import { prepareRead } from '../prepared.js';
import { contains } from '../text/contains.js';
import { mayHaveName } from './may-have-name.js';

/** A member with their membership of the given account. */
export type AccountMemberRow = ListedMember & MemberPlace;

/**
 * The members of one account by ascending id, without deleted ones; `afterId` pages on.
 *
 * @param page with `nameKey`, only those whose username contains it; normalised
 */
export async function listMembersOfAccount(
  db: Database,
  accountId: number,
  { limit, afterId = 0, nameKey }: { limit: number; afterId?: number; nameKey?: string | undefined },
): Promise<AccountMemberRow[]> {
  if (nameKey === undefined) return prepared(db, { accountId, afterId, limit });
  return selectMembersOfAccount(db, nameKey).prepare().execute({ accountId, afterId, limit });
}

const prepared = prepareRead(selectMembersOfAccount);

/** The select of a page of the members of an account. */
export function selectMembersOfAccount(db: Database, nameKey?: string) {
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
        mayHaveName(db, nameKey),
        nameKey === undefined ? undefined : contains(members.usernameKey, nameKey),
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
