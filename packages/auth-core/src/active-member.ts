import type { AccessLink } from './access-chain.js';
import type { AccessSnapshot } from './access-question.js';
import type { StaffPermission } from './permissions.js';
import { type Roles, STAFF_ROLE_PERMISSIONS } from './roles.js';

const NO_STAFF_PERMISSIONS: ReadonlySet<StaffPermission> = new Set();

/** Whether somebody may sign in and act: neither deleted nor banned. */
export function isActiveMember(
  roles: Roles,
  member: { readonly isDeleted: boolean; readonly roleType: number },
): boolean {
  return !member.isDeleted && member.roleType !== roles.id.archived;
}

export function isRootStaff(roles: Roles, { isPersonnel, roleType }: AccessSnapshot): boolean {
  return isPersonnel && roleType === roles.id.admin;
}

/** What became of a member, for people. */
export function statusOf(roles: Roles, member: AccessSnapshot | undefined): string {
  if (member === undefined) return 'unknown';
  if (member.isDeleted) return 'deleted';
  return member.roleType === roles.id.archived ? 'banned' : 'live';
}

/** A staff member's permissions outside any account; none for everybody else. */
export function staffPermissions(roles: Roles, snapshot: AccessSnapshot): ReadonlySet<StaffPermission> {
  const name = roles.nameOf(snapshot.roleType);
  if (name === undefined || !snapshot.isPersonnel || !isActiveMember(roles, snapshot))
    return NO_STAFF_PERMISSIONS;
  const own = STAFF_ROLE_PERMISSIONS[name];
  if (snapshot.actor === undefined) return own;
  const acting = staffPermissions(roles, snapshot.actor);
  return new Set([...own].filter((each) => acting.has(each)));
}

/** Adds the fact that refused. */
export function denied(
  chain: AccessLink[] | undefined,
  fact: AccessLink['fact'],
  value: AccessLink['value'],
): false {
  chain?.push({ fact, value, effect: 'denies' });
  return false;
}
