import { decideAccess, mayGive, type Roles } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db';
import type { MemberSnapshot } from '../access/member-snapshot.js';
import { actingRoleIn } from './acting-role-in.js';
import type { OfferedRole } from './offered-role.js';

/** Whether somebody may invite to a role: not above their own, and without permissions they lack. */
export function mayOffer(
  roles: Roles,
  member: MemberSnapshot,
  account: AccountState,
  offered: OfferedRole,
): boolean {
  const { permissions } = decideAccess(roles, member, { accountId: account.id, account });
  if (!permissions.has('member.manage')) return false;
  if (!mayGive(roles, actingRoleIn(roles, member, account.id), offered.roleType)) return false;
  return [...offered.permissions].every((permission) => permissions.has(permission));
}
