import {
  AppError,
  type CustomRole,
  decideAccess,
  mayGive,
  type Permission,
  type Roles,
} from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { AccountState } from '@gatehouse/db/queries/find-account-state';
import { isProven } from '@gatehouse/db/queries/member-columns';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { type MemberSnapshot, toCustomRole } from '../access/access-reader.js';
import type { Services } from '../context.js';
import { actingRoleIn } from './authority-over.js';

/** @throws {AppError} `invalid_input` for a number that no role of this deployment has */
export function requireKnownRole(roles: Roles, roleType: number): void {
  if (roles.nameOf(roleType) === undefined) {
    throw new AppError('invalid_input', { issues: [{ path: 'roleType', message: 'There is no such role' }] });
  }
}

/** A role to give: a built-in one, or a custom one of the account. */
interface GivenRole {
  readonly roleType: number;
  readonly customRoleId: number | null;
  readonly label: string;
  readonly permissions: ReadonlySet<Permission>;
}

/** A role in an input: exactly one of these fields. */
export const roleChoice = {
  roleType: z.int().optional(),
  customRoleId: z.int().positive().optional(),
};

interface RoleChoice {
  readonly roleType?: number | undefined;
  readonly customRoleId?: number | undefined;
}

/**
 * The role that an input names.
 * @throws {AppError} `invalid_input` for a role that cannot be given, `not_found` for a custom role that the
 * account does not have
 */
export function givenRole(roles: Roles, account: AccountState, choice: RoleChoice): GivenRole {
  const { roleType, customRoleId } = choice;
  if ((roleType === undefined) === (customRoleId === undefined)) {
    throw refusal('Say either roleType or customRoleId');
  }
  if (roleType === undefined) {
    const row = account.customRoles.find(({ id }) => id === customRoleId);
    if (row === undefined) throw new AppError('not_found');
    const { id, name, permissions, ...custom } = toCustomRole(row);
    return {
      roleType: custom.roleType,
      customRoleId: id,
      label: name,
      permissions: roles.knownOf(permissions),
    };
  }
  requireKnownRole(roles, roleType);
  const name = roles.nameOf(roleType);
  if (name === undefined || name === 'archived') throw refusal('Nobody can have this role in an account');
  return {
    roleType,
    customRoleId: null,
    label: roles.labelOf(roleType),
    permissions: roles.permissionsOf(name),
  };
}

/**
 * Nobody assigns a role above their own, or one with a permission they lack.
 * @param actor their acting role and permissions in the account
 * @throws {AppError} `permission_denied`
 */
export function requireWithinCeiling(
  roles: Roles,
  actor: { readonly role: number; readonly permissions: ReadonlySet<Permission> },
  given: Pick<GivenRole, 'roleType' | 'permissions'>,
): void {
  if (!isWithin(roles, actor, given) || !mayGive(roles, actor.role, given.roleType))
    throw new AppError('permission_denied');
}

/** Whether members with this role own the account. */
export function isOwnerRole({ id }: Roles, roleType: number): boolean {
  return roleType === id.admin || roleType === id.owner;
}

function refusal(message: string): AppError {
  return new AppError('invalid_input', { issues: [{ path: 'roleType', message }] });
}

/** The role an invitation offers: a built-in one, or the built-in one that a custom role ranks as. */
export type OfferedRole = Pick<CustomRole, 'roleType' | 'permissions'>;

/**
 * The current permissions of a role of the account; undefined if it is gone, or nobody can be invited to it.
 */
export function offeredRole(
  roles: Roles,
  account: AccountState,
  { roleType, customRoleId }: { roleType: number; customRoleId: number | null },
): OfferedRole | undefined {
  if (customRoleId !== null) {
    const row = account.customRoles.find(({ id }) => id === customRoleId);
    if (row === undefined) return undefined;
    const custom = toCustomRole(row);
    return { roleType: custom.roleType, permissions: roles.knownOf(custom.permissions) };
  }
  const name = roles.nameOf(roleType);
  if (name === undefined || name === 'archived') return undefined;
  return { roleType, permissions: roles.permissionsOf(name) };
}

/** Whether somebody may invite to a role: not above their own, and without permissions they lack. */
export function mayOffer(
  roles: Roles,
  member: MemberSnapshot,
  account: AccountState,
  offered: OfferedRole,
): boolean {
  const { permissions } = decideAccess(roles, member, { accountId: account.id, account });
  if (!permissions.has('member.manage')) return false;
  const role = actingRoleIn(roles, member, account.id);
  return mayGive(roles, role, offered.roleType) && isWithin(roles, { role, permissions }, offered);
}

/**
 * Whether the actor holds all permissions that they give. The exception: account managers, who lack `event.read`, may give it
 * with the rank of a manager, because the events of an account show only what account managers see anyway.
 */
function isWithin(
  { id }: Roles,
  actor: { readonly role: number; readonly permissions: ReadonlySet<Permission> },
  given: Pick<GivenRole, 'roleType' | 'permissions'>,
): boolean {
  const mayLack =
    actor.role === id.accountManager && given.roleType === id.manager ? 'event.read' : undefined;
  return [...given.permissions].every(
    (permission) => actor.permissions.has(permission) || permission === mayLack,
  );
}

/**
 * Requires a confirmed address of a member who lets somebody in and, for a role that owns the account, a proven one.
 * @throws {AppError} `unconfirmed`
 */
export async function requireConfirmed(
  db: Database,
  { roles }: Pick<Services, 'roles'>,
  given: { readonly memberId: number; readonly roleType: number },
): Promise<void> {
  const address = await findMemberAddress(db, given.memberId);
  const isEnough = isOwnerRole(roles, given.roleType)
    ? address !== undefined && isProven(address)
    : address !== undefined && address.emailConfirmedAtMs !== null;
  if (!isEnough) throw new AppError('unconfirmed');
}
