import { and, asc, eq, exists, gt, inArray, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MemberRow, memberColumns } from '../access/member-columns.js';
import type { MemberScope } from '../membership/member-scope.js';
import { ownsAccount } from '../membership/owns-account.js';
import { matchPeople, type PeopleSearch } from './match-people.js';

const ACCOUNTS_PER_OWNER = 100;

/** An account owner, with the first hundred of their accounts in scope by id. */
export interface OwnerRow extends MemberRow {
  accounts: { id: number; name: string }[];
}

/** The owners of the accounts in scope, by ascending id; `afterId` pages on. */
export async function listOwners(
  db: Database,
  scope: MemberScope,
  { afterId, limit, ...search }: PeopleSearch & { afterId: number; limit: number },
): Promise<OwnerRow[]> {
  const { members, memberships, accounts } = db.tables;
  const owns = exists(
    db
      .select({ one: sql`1` })
      .from(memberships)
      .innerJoin(accounts, eq(accounts.id, memberships.accountId))
      .where(and(eq(memberships.memberId, members.id), ownsAccount(db, scope))),
  );
  const owners = await db
    .select(memberColumns(db.tables))
    .from(members)
    .where(and(gt(members.id, afterId), eq(members.isDeleted, false), owns, matchPeople(db, search)))
    .orderBy(asc(members.id))
    .limit(limit);
  const owned = await listOwned(
    db,
    scope,
    owners.map(({ id }) => id),
  );
  return owners.map((owner) => ({
    ...owner,
    accounts: owned.filter(({ ownerId }) => ownerId === owner.id).map(({ id, name }) => ({ id, name })),
  }));
}

async function listOwned(db: Database, scope: MemberScope, ownerIds: readonly number[]) {
  if (ownerIds.length === 0) return [];
  const { memberships, accounts } = db.tables;
  const ranked = db
    .select({
      ownerId: memberships.memberId,
      id: accounts.id,
      name: accounts.name,
      place: sql<number>`row_number() over (partition by ${memberships.memberId} order by ${accounts.id})`.as(
        'place',
      ),
    })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(inArray(memberships.memberId, [...ownerIds]), ownsAccount(db, scope)))
    .as('ranked');
  return db
    .select({ ownerId: ranked.ownerId, id: ranked.id, name: ranked.name })
    .from(ranked)
    .where(sql`${ranked.place} <= ${ACCOUNTS_PER_OWNER}`)
    .orderBy(asc(ranked.ownerId), asc(ranked.id));
}
