import {
  and,
  asc,
  count,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { MySqlColumn } from 'drizzle-orm/mysql-core';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import { banEnd, ENDLESS_MS, isActiveMember } from './member-columns.js';
import { inIds } from './paging.js';

/** An account with the data of its closing. */
export interface AccountDetail {
  id: number;
  name: string;
  ownerId: number;
  /** Whether it is deleted; closed accounts are deleted too. */
  isDeleted: boolean;
  /** Who closed it. Null while it is open, and for accounts deleted before closing existed. */
  closedById: number | null;
  /** When its content is erased. Null unless it is closed and still has content. */
  erasesAtMs: number | null;
  createdAtMs: number;
}

/** The columns of an `AccountDetail`. */
export function accountDetailColumns({ accounts }: Tables) {
  const { id, name, ownerId, isDeleted, closedById, erasesAtMs, createdAtMs } = accounts;
  return { id, name, ownerId, isDeleted, closedById, erasesAtMs, createdAtMs };
}

/** An account by id, closed and deleted ones included. */
export async function findAccount(db: Database, accountId: number): Promise<AccountDetail | undefined> {
  const { accounts } = db.tables;
  const [row] = await db
    .select(accountDetailColumns(db.tables))
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return row;
}

/** The given accounts that are open or can be restored, by ascending id; `afterId` pages on. */
export async function listOwnAccounts(
  db: Database,
  accountIds: readonly number[],
  page: { afterId: number; limit: number },
): Promise<AccountDetail[]> {
  if (accountIds.length === 0) return [];
  const { accounts } = db.tables;
  return db
    .select(accountDetailColumns(db.tables))
    .from(accounts)
    .where(
      and(
        inIds(db, accounts.id, accountIds),
        gt(accounts.id, page.afterId),
        or(eq(accounts.isDeleted, false), isNotNull(accounts.erasesAtMs)),
      ),
    )
    .orderBy(asc(accounts.id))
    .limit(page.limit);
}

/** The open accounts a member is the primary owner of, all or among the given ones, by ascending id. */
export async function listPrimaryAccounts(
  db: Database,
  memberId: number,
  accountIds?: readonly number[],
): Promise<{ id: number; name: string }[]> {
  if (accountIds?.length === 0) return [];
  const { id, name, ownerId, isDeleted } = db.tables.accounts;
  return db
    .select({ id, name })
    .from(db.tables.accounts)
    .where(
      and(
        eq(ownerId, memberId),
        eq(isDeleted, false),
        accountIds === undefined ? undefined : inIds(db, id, accountIds),
      ),
    )
    .orderBy(asc(id));
}

/** Which of these accounts exist and are not deleted. */
export async function listLiveAccountIds(db: Database, accountIds: readonly number[]): Promise<number[]> {
  if (accountIds.length === 0) return [];
  const { accounts } = db.tables;
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(inArray(accounts.id, [...accountIds]), eq(accounts.isDeleted, false)));
  return rows.map(({ id }) => id);
}

/** How many open accounts a member is the primary owner of. */
export async function countOwnedAccounts(db: Database, memberId: number): Promise<number> {
  const { accounts } = db.tables;
  const [row] = await db
    .select({ owned: count() })
    .from(accounts)
    .where(and(eq(accounts.ownerId, memberId), eq(accounts.isDeleted, false)));
  return row?.owned ?? 0;
}

/** Whether an account this member opened has had a trial, even if another member owns it now or it is closed. */
export async function hasHadTrial(db: Database, memberId: number): Promise<boolean> {
  const { accounts, subscriptions } = db.tables;
  const opened = or(
    eq(accounts.openedById, memberId),
    and(isNull(accounts.openedById), eq(accounts.ownerId, memberId)),
  );
  const [row] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(and(opened, isNotNull(subscriptions.trialEndsAtMs)))
    .limit(1);
  return row !== undefined;
}

/** The roles that are regarded as owners of an account. */
const OWNERS = [0, 1];

/** True if the column has the id of a live member of role 0 or 1 of the account, at a moment. */
function isLiveOwner(db: Database, memberId: MySqlColumn, nowMs: number): SQL {
  const { accounts, members, memberships } = db.tables;
  return exists(
    db
      .select({ one: sql`1` })
      .from(memberships)
      .innerJoin(members, eq(members.id, memberships.memberId))
      .where(
        and(
          eq(memberships.memberId, memberId),
          eq(memberships.accountId, accounts.id),
          inArray(memberships.roleType, OWNERS),
          eq(memberships.isDeleted, false),
          eq(memberships.active, true),
          isActiveMember(db.tables, nowMs),
        ),
      ),
  );
}

/** Open accounts whose primary owner is not a live member of role 0 or 1 there, by ascending id. */
export async function listOwnerlessAccounts(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<{ id: number; name: string; ownerId: number }[]> {
  const { accounts } = db.tables;
  const { id, name, ownerId, isDeleted } = accounts;
  return db
    .select({ id, name, ownerId })
    .from(accounts)
    .where(and(eq(isDeleted, false), not(isLiveOwner(db, ownerId, nowMs))))
    .orderBy(asc(id))
    .limit(limit);
}

const MAX_OWNERS = 100;

/** The owners of an account with their mail addresses, at most a hundred. */
export async function listOwnersOfAccount(
  db: Database,
  accountId: number,
): Promise<{ memberId: number; email: string }[]> {
  const { members, memberships } = db.tables;
  const rows = await db
    .select({ memberId: members.id, email: members.email })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberships.memberId))
    .where(and(isLivePlace(db, accountId), inArray(memberships.roleType, OWNERS), isNotNull(members.email)))
    .orderBy(asc(members.id))
    .limit(MAX_OWNERS);
  return rows.flatMap(({ memberId, email }) => (email === null ? [] : [{ memberId, email }]));
}

export const MAX_NAMED_OWNERS = 200;

/** The owners of an account with their names, at most two hundred. */
export function listNamesOfOwners(
  db: Database,
  accountId: number,
): Promise<{ id: number; username: string; firstName: string; lastName: string }[]> {
  const { members, memberships } = db.tables;
  const { id, username, firstName, lastName } = members;
  return db
    .select({ id, username, firstName, lastName })
    .from(memberships)
    .innerJoin(members, eq(id, memberships.memberId))
    .where(and(isLivePlace(db, accountId), inArray(memberships.roleType, OWNERS)))
    .orderBy(asc(id))
    .limit(MAX_NAMED_OWNERS);
}

/** Whether the account has another member who may sign in, now or after a ban has ended. */
export async function hasOtherMembers(
  db: Database,
  { accountId, memberId }: { accountId: number; memberId: number },
): Promise<boolean> {
  const { members, memberships } = db.tables;
  const [other] = await db
    .select({ id: members.id })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberships.memberId))
    .where(and(isLivePlace(db, accountId), ne(members.id, memberId)))
    .limit(1);
  return other !== undefined;
}

function isLivePlace(db: Database, accountId: number) {
  const { members, memberships } = db.tables;
  return and(
    eq(memberships.accountId, accountId),
    eq(memberships.isDeleted, false),
    eq(memberships.active, true),
    eq(members.isDeleted, false),
    lt(banEnd(db.tables), ENDLESS_MS),
  );
}
