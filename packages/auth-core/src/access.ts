import type { Permission, StaffPermission } from './permissions.js';
import { ROLE_PERMISSIONS, type RoleName, type Roles, STAFF_ROLE_PERMISSIONS } from './roles.js';

/** A role that an account made for itself: it ranks as a built-in one, and permits exactly what it names. */
export interface CustomRole {
  readonly id: number;
  readonly name: string;
  /** The built-in role it ranks as. */
  readonly roleType: number;
  readonly permissions: ReadonlySet<Permission>;
}

/** What is known of a member at one moment. Only live rows (not deleted, active) are in it. */
export interface AccessSnapshot {
  readonly id: number;
  readonly roleType: number;
  readonly isPersonnel: boolean;
  readonly isDeleted: boolean;
  /** The role in each account the member belongs to. */
  readonly memberships: ReadonlyMap<number, number>;
  /** The custom role in each account where the member has one, undefined where there is none of its id any more. */
  readonly customRoles?: ReadonlyMap<number, CustomRole | undefined>;
  /** The accounts granted to this member as one of the staff. */
  readonly grants: ReadonlySet<number>;
}

/**
 * Whether and how a member may act in an account: as one of its members, as staff through a grant, as
 * staff who may act in all, or not at all. `role` is the number of the role whose permissions apply.
 */
export type AccessDecision =
  | {
      readonly access: 'member' | 'grant' | 'all';
      readonly role: number;
      readonly permissions: ReadonlySet<Permission>;
      /** Where these come from a role that the account made. */
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
 * Decides what a member may do in an account. `account` is undefined where there is none of that id.
 *
 * Staff of base role 0 come first: they have every live account, and what an account says of them
 * takes nothing away, or its owner could shut the platform out. Then a membership, whatever its role,
 * goes before a grant.
 */
export function decideAccess(
  roles: Roles,
  snapshot: AccessSnapshot,
  accountId: number,
  account: { readonly isDeleted: boolean } | undefined,
): AccessDecision {
  if (account === undefined || account.isDeleted || !isLive(roles, snapshot)) return NO_ACCESS;
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

/** What a member may do as one of the staff, apart from any account; nothing for everybody else. */
export function staffPermissions(roles: Roles, snapshot: AccessSnapshot): ReadonlySet<StaffPermission> {
  const name = roles.nameOf(snapshot.roleType);
  if (name === undefined || !snapshot.isPersonnel || !isLive(roles, snapshot)) return NO_STAFF_PERMISSIONS;
  return STAFF_ROLE_PERMISSIONS[name];
}

/**
 * The accounts in which staff hold a permission where none is selected: `all` for base role 0, the
 * granted ones for other staff, none for everybody else. Deleted accounts are for the query to leave out.
 */
export function staffReach(
  roles: Roles,
  snapshot: AccessSnapshot,
  permission: Permission,
): 'all' | ReadonlySet<number> {
  if (!snapshot.isPersonnel || !isLive(roles, snapshot)) return new Set();
  if (snapshot.roleType === roles.id.admin) return 'all';
  const holdsIn = (accountId: number) =>
    decideAccess(roles, snapshot, accountId, { isDeleted: false }).permissions.has(permission);
  return new Set([...snapshot.grants].filter(holdsIn));
}

/**
 * The accounts in which a member holds a permission, whichever way they reach them: `all` for staff of base role 0.
 * Deleted accounts are for the query to leave out.
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

function isLive(roles: Roles, snapshot: AccessSnapshot): boolean {
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
