import { type AdminOutputs, type Permission, ROLES, type StaffPermission } from '@gatehouse/client-sdk/admin';
import { whoIsHere } from '@gatehouse/ui/session/who-is-here';
import { aboutRole, type BuiltInRole, roleName } from '@gatehouse/ui/team/role-name';
import { gatehouse } from '../client.js';
import { t } from '../words.js';

export type Me = AdminOutputs['session']['me'];

/** Who is signed in. Every screen within the frame is shown only once this is known. */
export const { meQuery, MeContext, useMe, askAhead } = whoIsHere<Me>((signal) =>
  gatehouse.api.session.me.query(undefined, { signal }),
);

/** Whether staff have a permission in all accounts, or in one that is granted to them. */
export function mayAnywhere({ isPersonnel, allAccounts, grants }: Me, permission: Permission): boolean {
  return isPersonnel && (allAccounts || grants.some(({ permissions }) => permissions.includes(permission)));
}

/** Whether staff have a permission outside accounts. */
export function mayAsStaff({ staffPermissions }: Me, permission: StaffPermission): boolean {
  return staffPermissions.includes(permission);
}

/** The roles that people have in accounts, by their labels in the API, the highest first. */
const LABELS: readonly (readonly [number, BuiltInRole])[] = [
  [ROLES.admin, 'Admin'],
  [ROLES.owner, 'Owner'],
  [ROLES.accountManager, 'Account Manager'],
  [ROLES.manager, 'Manager/Collaborator'],
  [ROLES.contributor, 'Contributor'],
  [ROLES.designer, 'Designer'],
  [ROLES.userMember, 'User Member'],
];

export const ROLE_NUMBERS: readonly number[] = LABELS.map(([number]) => number);

const labelOf = (roleType: number): BuiltInRole | undefined =>
  LABELS.find(([number]) => number === roleType)?.[1];

/** A role in the current language; empty for a role that nobody can choose from a list. */
export function roleWords(roleType: number): string {
  const label = labelOf(roleType);
  return label === undefined ? '' : roleName(label);
}

/** What a role may do in an account, in one sentence. */
export function aboutRoleType(roleType: number): string | undefined {
  const label = labelOf(roleType);
  return label === undefined ? undefined : aboutRole(label);
}

/** The base role of a person, also during a ban; its stored label if the console has no name for it. */
export function roleOf({
  role,
  role_type,
  baseRole = role_type,
}: {
  readonly role: string;
  readonly role_type: number;
  readonly baseRole?: number;
}): string {
  return roleWords(baseRole) || role;
}

/** A role in a list to choose from, which distinguishes two roles of one name. */
export const roleChoice = (roleType: number): string =>
  roleType === ROLES.admin ? t('role.staffAdmin') : roleWords(roleType);
