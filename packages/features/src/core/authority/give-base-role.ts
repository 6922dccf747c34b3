import { AppError, mayGive, outranks, type Roles } from '@gatehouse/auth-core';
import {
  ENDLESS_MS,
  endAllSessions,
  isArchived,
  isBanned,
  type LockedMember,
  type StaffTransaction,
  setAuthToken,
  setBannedRole,
  setMemberRole,
} from '@gatehouse/db';
import { labelKept } from './ban-member.js';
import { requireOtherAdministrator } from './require-other-administrator.js';

/**
 * Gives a locked member a base role, another label, or both. A lower role ends their sessions and their auth_token. The last
 * staff of base role 0 keeps it. A role lifts a ban without an end. One with an end stays in force, and the member has the new
 * role after it.
 *
 * @param change a role that can be given; `actingRole` is the caller's acting role, the highest they can give
 * @throws {AppError} `permission_denied`, `last_administrator`
 */
export async function giveBaseRole(
  tx: StaffTransaction,
  roles: Roles,
  member: LockedMember,
  change: {
    roleType?: number | undefined;
    label?: string | undefined;
    actingRole: number;
    nowMs: number;
  },
): Promise<void> {
  const { roleType = member.roleType, actingRole, nowMs } = change;
  const isOther = roleType !== member.roleType;
  const label = change.label ?? (isOther ? roles.labelOf(roleType) : labelKept(roles, member, roleType));
  const lifts = change.roleType !== undefined && isArchived(member);
  if ((isOther || lifts) && !mayGive(roles, actingRole, roleType)) throw new AppError('permission_denied');
  const memberId = member.id;
  if (isBanned(member, nowMs) && !lifts) {
    const { bannedUntilMs } = member;
    const untilMs = bannedUntilMs === ENDLESS_MS ? null : bannedUntilMs;
    await setBannedRole(tx, { memberId, roleType, role: label, untilMs, nowMs });
    return;
  }
  const isAdministrator = member.isPersonnel && member.roleType === roles.id.admin;
  if (isAdministrator && isOther && !lifts) await requireOtherAdministrator(tx, { memberId, nowMs });
  await setMemberRole(tx, { memberId, roleType, role: label, nowMs });
  // `changeStaff` ends those of staff.
  if (member.isPersonnel || !outranks(roles, member.roleType, roleType)) return;
  await endAllSessions(tx, memberId, { nowMs });
  await setAuthToken(tx, { memberId, token: null, nowMs });
}
