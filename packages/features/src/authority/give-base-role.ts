import { AppError, mayGive, outranks, type Roles } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  endAllSessions,
  type LockedMember,
  setAuthToken,
  setMemberRole,
} from '@gatehouse/db';
import { requireOtherAdministrator } from './require-other-administrator.js';

/**
 * Gives a locked member another base role. A lower role ends their sessions and their auth_token. The last
 * staff of base role 0 keeps it.
 *
 * @param change `actingRole` is the caller's acting role, the highest they can give
 * @throws {AppError} `permission_denied`, `last_administrator`
 */
export async function giveBaseRole(
  tx: AccessTransaction,
  roles: Roles,
  member: LockedMember,
  change: { roleType: number; label?: string | undefined; actingRole: number; nowMs: number },
): Promise<void> {
  const { roleType, label = roles.labelOf(roleType), actingRole, nowMs } = change;
  if (roleType !== member.roleType && !mayGive(roles, actingRole, roleType))
    throw new AppError('permission_denied');
  const isAdministrator = member.isPersonnel && member.roleType === roles.id.admin;
  if (isAdministrator && roleType !== member.roleType) await requireOtherAdministrator(tx, member.id);
  await setMemberRole(tx, { memberId: member.id, roleType, role: label, nowMs });
  if (!outranks(roles, member.roleType, roleType)) return;
  await endAllSessions(tx, member.id, { nowMs });
  await setAuthToken(tx, { memberId: member.id, token: null, nowMs });
}
