import { and, asc, type Column, eq, exists, inArray, isNull, not, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { besideIndex, inIds } from './paging.js';

/** The accounts whose members may be seen. */
export type MemberScope =
  | {
      readonly all: true;
      /** Accounts that require a session of a higher level, and are left out. */
      readonly except?: ReadonlySet<number>;
    }
  | { readonly all: false; readonly accountIds: readonly number[] };

/** True for rows whose column is an account in scope; undefined where every account is. */
export function inAccountScope(db: Database, column: Column, scope: MemberScope): SQL | undefined {
  if (!scope.all) return inIds(db, column, scope.accountIds);
  if (scope.except === undefined || scope.except.size === 0) return undefined;
  return not(inIds(db, column, [...scope.except]));
}

const OWNER = 1;

/** True for live memberships as owner, in an account in scope that is not deleted. */
export function ownsAccount(db: Database, scope: MemberScope): SQL | undefined {
  const { memberships, accounts } = db.tables;
  return and(
    eq(memberships.roleType, OWNER),
    eq(memberships.isDeleted, false),
    eq(memberships.active, true),
    eq(accounts.isDeleted, false),
    inAccountScope(db, memberships.accountId, scope),
  );
}

const MAX_ACCOUNTS = 1_000;

/** The ids of the accounts in scope that one member owns, at most a thousand. */
export async function listOwnedAccountIds(
  db: Database,
  scope: MemberScope,
  ownerId: number,
): Promise<number[]> {
  const { memberships, accounts } = db.tables;
  const rows = await db
    .select({ id: accounts.id })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.memberId, ownerId), ownsAccount(db, scope)))
    .orderBy(asc(accounts.id))
    .limit(MAX_ACCOUNTS);
  return rows.map(({ id }) => id);
}

/** Roles that memberships may have: built-in ones by number, and custom ones by id. */
export interface PlaceRoles {
  readonly builtIn: readonly number[];
  readonly custom: readonly number[];
}

/**
 * True for members with a live membership in an account in scope, with one of the roles if any are given. Undefined, which
 * restricts nothing, if the scope is all.
 */
export function memberInScope(db: Database, scope: MemberScope, roles?: PlaceRoles): SQL | undefined {
  const { members } = db.tables;
  if (scope.all) return undefined;
  if (scope.accountIds.length === 0) return sql`1 = 0`;
  return inArray(members.id, membersInScope(db, scope.accountIds, roles));
}

/** The ids of everybody with a live membership in one of the accounts, with one of the roles if any are given. */
export function membersInScope(db: Database, accountIds: readonly number[], roles?: PlaceRoles) {
  const { memberships } = db.tables;
  return db
    .select({ id: memberships.memberId })
    .from(memberships)
    .where(and(inIds(db, memberships.accountId, accountIds), isLive(db), roles && hasRoleAmong(db, roles)));
}

/** True for rows whose member has a live membership in one of the accounts. It is read for each row, by the index of the member. */
export function isMemberInAccounts(db: Database, memberId: Column, accountIds: readonly number[]): SQL {
  const { memberships } = db.tables;
  return exists(
    db
      .select({ one: sql`1` })
      .from(memberships)
      .where(
        and(
          eq(memberships.memberId, memberId),
          inIds(db, besideIndex(db, memberships.accountId), accountIds),
          isLive(db),
        ),
      ),
  );
}

function isLive({ tables: { memberships } }: Database): SQL | undefined {
  return and(eq(memberships.isDeleted, false), eq(memberships.active, true));
}

/** True for memberships with one of the roles. A custom role takes precedence over the built-in one that it ranks as. */
function hasRoleAmong(db: Database, { builtIn, custom }: PlaceRoles): SQL | undefined {
  const { roleType, customRoleId } = db.tables.memberships;
  return or(
    and(isNull(customRoleId), inIds(db, besideIndex(db, roleType), builtIn)),
    inIds(db, besideIndex(db, customRoleId), custom),
  );
}

/** `memberInScope` for deleted members, by the accounts they were in until then. */
export function deletedMemberInScope(db: Database, scope: MemberScope): SQL | undefined {
  const { members, memberships } = db.tables;
  if (scope.all) return undefined;
  if (scope.accountIds.length === 0) return sql`1 = 0`;
  return inArray(
    members.id,
    db
      .select({ id: memberships.memberId })
      .from(memberships)
      .where(and(inIds(db, memberships.accountId, scope.accountIds), eq(memberships.endedWithMember, true))),
  );
}
