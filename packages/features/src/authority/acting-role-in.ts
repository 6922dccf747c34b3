import { decideAccess, outranks, type Roles } from '@gatehouse/auth-core';
import type { MemberSnapshot } from '../access/member-snapshot.js';

/**
 * The role a member of staff acts by in a live account; the archived one, which ranks lowest, where they may not act.
 * Through a grant somebody has the permissions of an account manager, but never a rank above their own.
 */
export function actingRoleIn(roles: Roles, caller: MemberSnapshot, accountId: number): number {
  const { access, role } = decideAccess(roles, caller, accountId, { isDeleted: false });
  if (access === 'none') return roles.id.archived;
  return access === 'grant' && outranks(roles, role, caller.roleType) ? caller.roleType : role;
}
