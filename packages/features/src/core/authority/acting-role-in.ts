import { decideAccess, outranks, type Roles } from '@gatehouse/auth-core';
import type { MemberSnapshot } from '../access/member-snapshot.js';

/**
 * The role of a member of staff in a live account, or the archived role, which ranks lowest, if they have no
 * access. A grant gives the permissions of an account manager, but never a rank above their base role.
 */
export function actingRoleIn(roles: Roles, caller: MemberSnapshot, accountId: number): number {
  const { access, role } = decideAccess(roles, caller, { accountId, account: { isDeleted: false } });
  if (access === 'none') return roles.id.archived;
  return access === 'grant' && outranks(roles, role, caller.roleType) ? caller.roleType : role;
}
