import {
  PERMISSIONS,
  type Permission,
  type ProductPermission,
  STAFF_PERMISSIONS,
  type StaffPermission,
} from './permissions.js';

interface Role {
  /** The number, as stored and sent. Some deployments use other numbers for some roles. */
  readonly number: number;
  /** The label, as shown to people and stored with the number. */
  readonly label: string;
  /** The rank: more is higher. */
  readonly rank: number;
  /** Its permissions in the account where it is held. */
  readonly permissions: readonly Permission[];
  /** Permissions outside accounts for staff with this base role. */
  readonly staffPermissions: readonly StaffPermission[];
}

const MANAGER = [
  'account.read',
  'member.list',
  'member.manage',
  'conversation.read',
  'subject.remove',
  'social.connect',
  'knowledge.analyze',
] as const satisfies readonly Permission[];

const CONTRIBUTOR = [
  'account.read',
  'member.list',
  'conversation.read',
  'social.connect',
] as const satisfies readonly Permission[];

/** Every role, one entry each, in the order of the printed tables. */
export const ROLES = {
  admin: {
    number: 0,
    label: 'Admin',
    rank: 5,
    permissions: PERMISSIONS,
    staffPermissions: STAFF_PERMISSIONS,
  },
  owner: { number: 1, label: 'Owner', rank: 5, permissions: PERMISSIONS, staffPermissions: [] },
  accountManager: {
    number: 6,
    label: 'Account Manager',
    rank: 4,
    permissions: [...MANAGER, 'subscription.read'],
    staffPermissions: ['personnel.read', 'affiliate.read', 'affiliate.manage', 'member.impersonate'],
  },
  manager: {
    number: 2,
    label: 'Manager/Collaborator',
    rank: 3,
    permissions: [...MANAGER, 'event.read'],
    staffPermissions: [],
  },
  contributor: { number: 3, label: 'Contributor', rank: 2, permissions: CONTRIBUTOR, staffPermissions: [] },
  designer: { number: 4, label: 'Designer', rank: 2, permissions: CONTRIBUTOR, staffPermissions: [] },
  userMember: {
    number: 5,
    label: 'User Member',
    rank: 1,
    permissions: ['account.read', 'social.connect'],
    staffPermissions: [],
  },
  archived: { number: 11, label: 'Archived', rank: 0, permissions: [], staffPermissions: [] },
} as const satisfies Readonly<Record<string, Role>>;

/** The roles by name. A deployment can configure some of the stored numbers. */
export type RoleName = keyof typeof ROLES;

const ofEach = <Value>(read: (role: Role) => Value): Readonly<Record<RoleName, Value>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every key of ROLES is there, and no other
  Object.fromEntries(Object.entries<Role>(ROLES).map(([name, role]) => [name, read(role)])) as Record<
    RoleName,
    Value
  >;

/** The role names in the order of the printed tables. */
export const ROLE_NAMES = Object.keys(ROLES).filter((name): name is RoleName => Object.hasOwn(ROLES, name));

/** The permissions of each role inside an account. */
export const ROLE_PERMISSIONS: Readonly<Record<RoleName, ReadonlySet<Permission>>> = ofEach(
  ({ permissions }) => new Set(permissions),
);

/** The permissions of staff outside accounts, by base role. */
export const STAFF_ROLE_PERMISSIONS: Readonly<Record<RoleName, ReadonlySet<StaffPermission>>> = ofEach(
  ({ staffPermissions }) => new Set(staffPermissions),
);

/** Role numbers, labels and ranks of one deployment. */
export interface Roles {
  /** The number of each role. */
  readonly id: Readonly<Record<RoleName, number>>;
  /** The role with this number; undefined for an unknown number. */
  nameOf(roleType: number): RoleName | undefined;
  /** The label shown to people; `Unknown` for an unknown number. */
  labelOf(roleType: number): string;
  /** All permissions inside an account, those of the product last. */
  readonly permissions: readonly Permission[];
  /** The permissions of the product, as configured. */
  readonly product: readonly ProductPermissionRow[];
  /** The permissions of a role in the account where it is held. */
  permissionsOf(name: RoleName): ReadonlySet<Permission>;
  /** The permissions that this deployment knows, of those that a stored role has. */
  knownOf(permissions: ReadonlySet<Permission>): ReadonlySet<Permission>;
}

/** A permission of the product: its name, its labels, and which roles have it besides role 0. */
export interface ProductPermissionRow {
  readonly name: ProductPermission;
  readonly label: { readonly en: string; readonly de: string };
  /** Names or numbers of roles. */
  readonly roles: readonly (RoleName | number)[];
}

/**
 * A deployment's roles, with the numbers it configures (DESIGNER, USER_MEMBER, ACCOUNT_MANAGER) and the permissions of its
 * product (PRODUCT_PERMISSIONS).
 * @throws RangeError unless all numbers are distinct whole numbers.
 */
export function createRoles(
  configured: Partial<Readonly<Record<RoleName, number>>> = {},
  product: readonly ProductPermissionRow[] = [],
): Roles {
  const id: Readonly<Record<RoleName, number>> = { ...ofEach(({ number }) => number), ...configured };
  const numbers = Object.values(id);
  if (
    new Set(numbers).size !== numbers.length ||
    !numbers.every((each) => Number.isSafeInteger(each) && each >= 0)
  ) {
    throw new RangeError('role numbers must be distinct whole numbers');
  }
  const byId = new Map(ROLE_NAMES.map((name) => [id[name], name]));
  const permissions: readonly Permission[] = [...PERMISSIONS, ...product.map(({ name }) => name)];
  const all: ReadonlySet<Permission> = new Set(permissions);
  const table = new Map<RoleName, ReadonlySet<Permission>>();
  for (const name of ROLE_NAMES) {
    const own = product.filter(({ roles }) => hasRole(roles, name, id[name]));
    if (own.length > 0) table.set(name, new Set([...ROLE_PERMISSIONS[name], ...own.map((row) => row.name)]));
  }
  const known = new WeakMap<ReadonlySet<Permission>, ReadonlySet<Permission>>();

  return {
    id,
    permissions,
    product,
    permissionsOf: (name) => table.get(name) ?? ROLE_PERMISSIONS[name],
    knownOf(stored) {
      const found = known.get(stored) ?? new Set([...stored].filter((each) => all.has(each)));
      known.set(stored, found);
      return found;
    },
    nameOf: (roleType) => byId.get(roleType),
    labelOf(roleType) {
      const name = byId.get(roleType);
      return name === undefined ? 'Unknown' : ROLES[name].label;
    },
  };
}

/** Whether a role has a permission of the product. Role 0 has all of them, and archived members none. */
function hasRole(roles: ProductPermissionRow['roles'], name: RoleName, number: number): boolean {
  if (name === 'archived') return false;
  return name === 'admin' || roles.includes(name) || roles.includes(number);
}

/** Whether `subject` ranks strictly below `actor`. An unknown number ranks below all. */
export function outranks(roles: Roles, actor: number, subject: number): boolean {
  return rankOf(roles, actor) > rankOf(roles, subject);
}

/** Whether `actor` may give `roleType` to somebody: a known role, not above the actor's own. */
export function mayGive(roles: Roles, actor: number, roleType: number): boolean {
  if (roles.nameOf(roleType) === undefined || !isActing(roles, actor)) return false;
  return !outranks(roles, roleType, actor);
}

/** Whether `actor` may change a member of role `subject`: anyone who does not outrank the actor. */
export function mayChange(roles: Roles, actor: number, subject: number): boolean {
  return isActing(roles, actor) && !outranks(roles, subject, actor);
}

function rankOf(roles: Roles, roleType: number): number {
  const name = roles.nameOf(roleType);
  return name === undefined ? -1 : ROLES[name].rank;
}

function isActing(roles: Roles, actor: number): boolean {
  return rankOf(roles, actor) > ROLES.archived.rank;
}
