import { AppError, accountReach, type Permission, staffReach } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { findAccountStates } from '@gatehouse/db/queries/find-account-state';
import { type LockedMember, lockMember } from '@gatehouse/db/queries/lock-rows';
import { hasPlaceAmong } from '@gatehouse/db/queries/member-places';
import { listLiveMemberships } from '@gatehouse/db/queries/memberships';
import { findMember } from '@gatehouse/db/queries/read-members';
import { listReturningPlaces } from '@gatehouse/db/queries/returning-places';
import type { AccessReader } from '../access/access-reader.js';
import { type AccountScope, openedAccounts } from '../guard/account-access.js';
import type { Caller } from '../guard/caller.js';
import type { Guarded } from '../guard/guarded.js';
import { opensTo } from '../guard/level.js';
import { type AskedAuthority, type Authority, type AuthorityNeed, authorityOver } from './authority-over.js';
import { roleWithoutBan } from './base-role.js';

/** A call of staff, with the caller's accounts. */
export type StaffContext = Guarded<{ readonly caller: Caller; readonly scope: AccountScope }>;

/** Where the state of a member and their accounts is read. */
interface AuthoritySource {
  readonly db: Database;
  readonly accounts: AccessReader['accounts'];
}

/** The subject of a call, as its row has it. */
interface SubjectRow {
  readonly id: number;
  readonly roleType: number;
  readonly isPersonnel: boolean;
  readonly isDeleted: boolean;
}

/**
 * What the caller may do with a member, as the rows say now. For a deleted member, the memberships that would come back with them
 * are included.
 */
export async function readAuthority(
  { services, caller, scope }: Pick<StaffContext, 'services' | 'caller' | 'scope'>,
  { db, accounts }: AuthoritySource,
  member: SubjectRow,
  permission: AskedAuthority['permission'],
): Promise<Authority> {
  const { roles } = services;
  const roleType = roleWithoutBan(roles, member);
  const memberships = member.isDeleted
    ? (await listReturningPlaces(db, member.id)).filter(({ staysClosed }) => !staysClosed)
    : await listLiveMemberships(db, member.id);
  const places = memberships.map(({ accountId }) => accountId);
  const states = await accounts(places);
  // Accounts that closed with the member would open again.
  const opened = places.filter((id) => {
    const state = states.get(id);
    return state !== undefined && opensTo(services, caller, state);
  });
  const subject = { isPersonnel: member.isPersonnel, roleType, memberships };
  return authorityOver(roles, caller.member, { scope, permission, opened }, subject);
}

/**
 * Requires authority over a member without a lock, for calls that do not change the member.
 * @throws {AppError} `not_found` for a member the caller cannot see, `permission_denied`
 */
export async function requireAuthority(
  ctx: StaffContext,
  memberId: number,
  { permission, need }: AuthorityNeed,
): Promise<void> {
  const { access, db } = ctx.services;
  const member = await findMember(db, memberId);
  if (!member || member.isDeleted) throw new AppError('not_found');
  const authority = await readAuthority(ctx, { db, accounts: access.accounts }, member, permission);
  if (!authority.sees) throw new AppError('not_found');
  if (!authority[need]) throw new AppError('permission_denied');
}

interface HeldSubject {
  readonly member: LockedMember;
  readonly authority: Authority;
}

/**
 * Locks the subject of a change until the transaction ends, and returns what the caller may do with them.
 *
 * @param ctx the call as the transaction's guard read it
 * @param need the authority that the change needs; see `Authority`
 * @throws {AppError} `not_found` for a member the caller cannot see, `permission_denied`
 */
export async function lockSubject(
  ctx: StaffContext,
  tx: AccessTransaction,
  which: { memberId: number; nowMs: number },
  { permission, need, orLeaving = false }: AuthorityNeed,
): Promise<HeldSubject> {
  const member = await lockMember(tx, { ...which, orLeaving });
  if (!member) throw new AppError('not_found');
  const source = { db: tx, accounts: (ids: readonly number[]) => findAccountStates(tx, ids) };
  const authority = await readAuthority(ctx, source, member, permission);
  if (!authority.sees) throw new AppError('not_found');
  if (!authority[need]) throw new AppError('permission_denied');
  return { member, authority };
}

/** Which of some accounts a call of the same member of staff acts in that needs another permission. */
export async function scopeWith(
  ctx: Pick<StaffContext, 'call' | 'caller' | 'scope' | 'services'>,
  permission: Permission,
  among: readonly number[],
): Promise<AccountScope> {
  const { call, caller, scope, services } = ctx;
  const { access, roles } = services;
  const isSelected = call.header('accountid') !== undefined;
  const reach = (isSelected ? accountReach : staffReach)(roles, caller.member, permission);
  // Base role 0 has every permission in each account.
  if (reach === 'all' || scope.all) return scope;
  const ids = among.filter((id) => reach.has(id) && (!isSelected || scope.accountIds.includes(id)));
  return { all: false, accountIds: await openedAccounts(ctx, access, caller, ids) };
}

/**
 * Requires that staff may look at a member, deleted ones included: that the member has, or had until they were deleted, a
 * place in an account the caller acts in. Only staff who act in every account may look at staff.
 * @param member undefined where there is none
 * @throws {AppError} `not_found` for one whom the caller does not see, `permission_denied`
 */
export async function requireSight(
  db: Database,
  scope: AccountScope,
  member: { readonly id: number; readonly isPersonnel: boolean } | undefined,
): Promise<void> {
  if (!member) throw new AppError('not_found');
  if (scope.all) return;
  requireSightGiven(scope, member, await hasPlaceAmong(db, member.id, scope.accountIds));
}

/**
 * The same, for a member that was read together with whether they have such a place.
 * @throws {AppError} `not_found` for one whom the caller does not see, `permission_denied`
 */
export function requireSightGiven(
  scope: AccountScope,
  member: { readonly isPersonnel: boolean },
  hasPlace: boolean,
): void {
  if (scope.all) return;
  if (!hasPlace) throw new AppError('not_found');
  if (member.isPersonnel) throw new AppError('permission_denied');
}
