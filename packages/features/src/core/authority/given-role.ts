import { AppError, mayGive, type Permission, ROLE_PERMISSIONS, type Roles } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db';
import { z } from 'zod';
import { toCustomRole } from '../access/to-member-snapshot.js';
import { requireKnownRole } from './require-known-role.js';

/** A role to give: a built-in one, or a custom one of the account. */
export interface GivenRole {
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
    return { roleType: custom.roleType, customRoleId: id, label: name, permissions };
  }
  requireKnownRole(roles, roleType);
  const name = roles.nameOf(roleType);
  if (name === undefined || name === 'archived') throw refusal('Nobody can have this role in an account');
  return {
    roleType,
    customRoleId: null,
    label: roles.labelOf(roleType),
    permissions: ROLE_PERMISSIONS[name],
  };
}

/**
 * Nobody gives a role above their own, or one with a permission they lack.
 * @param actor their acting role and permissions in the account
 * @throws {AppError} `permission_denied`
 */
export function requireWithinCeiling(
  roles: Roles,
  actor: { readonly role: number; readonly permissions: ReadonlySet<Permission> },
  given: Pick<GivenRole, 'roleType' | 'permissions'>,
): void {
  const isWithin = [...given.permissions].every((permission) => actor.permissions.has(permission));
  if (!isWithin || !mayGive(roles, actor.role, given.roleType)) throw new AppError('permission_denied');
}

/** Whether members with this role own the account. */
export function isOwnerRole({ id }: Roles, roleType: number): boolean {
  return roleType === id.admin || roleType === id.owner;
}

function refusal(message: string): AppError {
  return new AppError('invalid_input', { issues: [{ path: 'roleType', message }] });
}
