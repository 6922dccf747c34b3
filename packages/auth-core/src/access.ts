import type { Permission, StaffPermission } from './permissions.js';
import { ROLE_PERMISSIONS, type RoleName, type Roles, STAFF_ROLE_PERMISSIONS } from './roles.js';

/** A custom role of an account. It ranks as a built-in role, and has exactly the listed permissions. */
export interface CustomRole {
  readonly id: number;
  readonly name: string;
  /** The built-in role it ranks as. */
  readonly roleType: number;
  readonly permissions: ReadonlySet<Permission>;
}

/** A member's state at one moment. It has live rows only (active, not deleted). */
export interface AccessSnapshot {
  readonly id: number;
  readonly roleType: number;
  readonly isPersonnel: boolean;
  readonly isDeleted: boolean;
  /** The role in each account the member belongs to. */
  readonly memberships: ReadonlyMap<number, number>;
  /** The member's custom role in each account. Undefined if the role no longer exists. */
  readonly customRoles?: ReadonlyMap<number, CustomRole | undefined>;
  /** The accounts granted to this staff member. */
  readonly grants: ReadonlySet<number>;
}

/**
 * How a member may act in an account: as its member, as staff through a grant, as staff with every account, or
 * not at all. `role` is the role number whose permissions apply.
 */
export type AccessDecision =
  | {
      readonly access: 'member' | 'grant' | 'all';
      readonly role: number;
      readonly permissions: ReadonlySet<Permission>;
      /** Set if the permissions come from a custom role. */
      readonly customRole: CustomRole | undefined;
    }
  | {
      readonly access: 'none';
      readonly role: null;
      readonly permissions: ReadonlySet<Permission>;
      readonly customRole: undefined;
    };

const NO_ACCESS: AccessDecision = {
  access: 'none',
  role: null,
  permissions: new Set(),
  customRole: undefined,
};
const NO_STAFF_PERMISSIONS: ReadonlySet<StaffPermission> = new Set();

/**
 * Decides what a member may do in an account. `account` is undefined if it does not exist. Staff of base role
 * 0 come first: they reach every live account, and no membership can reduce that; otherwise an owner could
 * exclude the platform's administrators. For everybody else a membership takes precedence over a grant.
 */
export function decideAccess(
  roles: Roles,
  snapshot: AccessSnapshot,
  accountId: number,
  account: { readonly isDeleted: boolean } | undefined,
): AccessDecision {
  if (account === undefined || account.isDeleted || !isActiveMember(roles, snapshot)) return NO_ACCESS;
  if (snapshot.isPersonnel && snapshot.roleType === roles.id.admin) return allow(roles, 'all', 'admin');

  const roleInAccount = snapshot.memberships.get(accountId);
  if (roleInAccount !== undefined) {
    if (snapshot.customRoles?.has(accountId)) return allowCustom(snapshot.customRoles.get(accountId));
    const name = roles.nameOf(roleInAccount);
    return name === undefined || name === 'archived' ? NO_ACCESS : allow(roles, 'member', name);
  }
  if (snapshot.isPersonnel && snapshot.grants.has(accountId)) return allow(roles, 'grant', 'accountManager');
  return NO_ACCESS;
}

/** A staff member's permissions outside any account; none for everybody else. */
export function staffPermissions(roles: Roles, snapshot: AccessSnapshot): ReadonlySet<StaffPermission> {
  const name = roles.nameOf(snapshot.roleType);
  if (name === undefined || !snapshot.isPersonnel || !isActiveMember(roles, snapshot))
    return NO_STAFF_PERMISSIONS;
  return STAFF_ROLE_PERMISSIONS[name];
}

/**
 * The accounts in which staff hold a permission when none is selected: `all` for base role 0, the granted ones
 * for other staff, none for everybody else. The query leaves out deleted accounts.
 */
export function staffReach(
  roles: Roles,
  snapshot: AccessSnapshot,
  permission: Permission,
): 'all' | ReadonlySet<number> {
  if (!snapshot.isPersonnel || !isActiveMember(roles, snapshot)) return new Set();
  if (snapshot.roleType === roles.id.admin) return 'all';
  const holdsIn = (accountId: number) =>
    decideAccess(roles, snapshot, accountId, { isDeleted: false }).permissions.has(permission);
  return new Set([...snapshot.grants].filter(holdsIn));
}

/**
 * The accounts in which a member holds a permission, by membership or grant: `all` for staff of base role 0. The
 * query leaves out deleted accounts.
 */
export function accountReach(
  roles: Roles,
  snapshot: AccessSnapshot,
  permission: Permission,
): 'all' | ReadonlySet<number> {
  const asStaff = staffReach(roles, snapshot, permission);
  if (asStaff === 'all') return 'all';
  const holdsIn = (accountId: number) =>
    decideAccess(roles, snapshot, accountId, { isDeleted: false }).permissions.has(permission);
  return new Set([...[...snapshot.memberships.keys()].filter(holdsIn), ...asStaff]);
}

/** Whether somebody may sign in and act: neither deleted nor banned. */
export function isActiveMember(roles: Roles, snapshot: AccessSnapshot): boolean {
  return !snapshot.isDeleted && snapshot.roleType !== roles.id.archived;
}

function allow(roles: Roles, access: 'member' | 'grant' | 'all', name: RoleName): AccessDecision {
  return { access, role: roles.id[name], permissions: ROLE_PERMISSIONS[name], customRole: undefined };
}

function allowCustom(customRole: CustomRole | undefined): AccessDecision {
  if (customRole === undefined) return NO_ACCESS;
  const { roleType, permissions } = customRole;
  return { access: 'member', role: roleType, permissions, customRole };
}
