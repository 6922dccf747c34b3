import { outranks, type Roles, STAFF_ROLE_PERMISSIONS } from './roles.js';

/** A member's authority as staff: none unless `isStaff`. */
export interface StaffAuthority {
  readonly isStaff: boolean;
  /** The base role. */
  readonly roleType: number;
  /** The accounts granted to them. */
  readonly grants: ReadonlySet<number>;
}

/**
 * How authority as staff changes: `rise` if they may do something that they could not do before, `fall` if they may only do less,
 * `none` if nothing changes. Staff of base role 0 reach every account, whatever is granted.
 */
export function staffAuthorityChange(
  roles: Roles,
  before: StaffAuthority,
  after: StaffAuthority,
): 'rise' | 'fall' | 'none' {
  if (exceeds(roles, after, before)) return 'rise';
  return exceeds(roles, before, after) ? 'fall' : 'none';
}

/** Whether one has anything that the other lacks. */
function exceeds(roles: Roles, one: StaffAuthority, other: StaffAuthority): boolean {
  if (!one.isStaff) return false;
  if (!other.isStaff || outranks(roles, one.roleType, other.roleType)) return true;
  const held = permissionsOf(roles, other.roleType);
  if (permissionsOf(roles, one.roleType).some((permission) => !held.includes(permission))) return true;
  if (other.roleType === roles.id.admin) return false;
  return one.roleType === roles.id.admin || [...one.grants].some((accountId) => !other.grants.has(accountId));
}

function permissionsOf(roles: Roles, roleType: number): readonly string[] {
  const name = roles.nameOf(roleType);
  return name === undefined ? [] : [...roles.permissionsOf(name), ...STAFF_ROLE_PERMISSIONS[name]];
}
