import { AppError, mayChange } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  type AccountState,
  findAccountState,
  findMembership,
  findReturningPlace,
  type LockedMember,
  lockMember,
} from '@gatehouse/db';
import { toCustomRole } from '../../core/access/access-reader.js';
import { actingRoleIn } from '../../core/authority/authority-over.js';
import type { ReachedAccount } from '../../core/guard/account-access.js';
import type { Caller } from '../../core/guard/caller.js';
import type { Guarded } from '../../core/guard/guarded.js';

/** A call by somebody who manages the members of an account. */
export type ManagerContext = Guarded<{ readonly caller: Caller; readonly account: ReachedAccount }>;

/** A membership, locked until the transaction ends. */
export interface HeldPlace {
  readonly member: LockedMember;
  readonly account: AccountState;
  readonly roleType: number;
  readonly customRoleId: number | null;
  /** False for one that awaits an owner's approval. */
  readonly active: boolean;
  /** Whether the member is deleted and would come back with it. */
  readonly isReturning: boolean;
  readonly label: string;
  /** The caller's acting role. */
  readonly actingRole: number;
}

/**
 * Locks a membership in the account of the call, if the caller may change it. It may await an owner's approval. The rank is that
 * of the role in this account.
 *
 * @param which with `orLeaving` also a membership that would come back with a member who deleted themselves
 * @throws {AppError} `not_found` for somebody who is not in the account, `permission_denied` for staff, and
 * for somebody who outranks the caller
 */
export async function lockPlace(
  { services: { roles }, caller, account: { id: accountId } }: ManagerContext,
  tx: AccessTransaction,
  { memberId, nowMs, orLeaving = false }: { memberId: number; nowMs: number; orLeaving?: boolean },
): Promise<HeldPlace> {
  const account = await findAccountState(tx, accountId);
  const member = await lockMember(tx, { memberId, nowMs, orLeaving });
  const isReturning = member?.isDeleted === true;
  const place = isReturning
    ? await findReturningPlace(tx, { memberId, accountId })
    : await findMembership(tx, { memberId, accountId });
  if (!account || !member || !place) throw new AppError('not_found');
  // Staff switched it off.
  if (!isReturning && !place.active && !place.awaitsOwner) throw new AppError('not_found');
  const actingRole = actingRoleIn(roles, caller.member, accountId);
  const row = account.customRoles.find(({ id }) => id === place.customRoleId);
  const custom = row && toCustomRole(row);
  const roleType = custom?.roleType ?? place.roleType;
  const isOutranked = !mayChange(roles, actingRole, roleType);
  if (member.isPersonnel || isOutranked) throw new AppError('permission_denied');
  const { customRoleId, active } = place;
  const label = custom?.name ?? roles.labelOf(roleType);
  return { member, account, roleType, customRoleId, active, isReturning, label, actingRole };
}
