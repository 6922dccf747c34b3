import { AppError, mayGive, type Permission, ROLE_PERMISSIONS, type Roles } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db';
import { z } from 'zod';
import { toCustomRole } from '../access/to-member-snapshot.js';
import { requireKnownRole } from './require-known-role.js';

/** A role that is given to somebody: a built-in one, or one that the account made. */
export interface GivenRole {
  readonly roleType: number;
  readonly customRoleId: number | null;
  readonly label: string;
  readonly permissions: ReadonlySet<Permission>;
}

/** How an input names a role: by exactly one of these. */
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
 * @throws {AppError} `invalid_input` unless it names one that somebody can have, `not_found` for one that the account
 * has not made
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
 * The ceiling: nobody gives a role above their own, or one with a permission they lack.
 * @param actor the role they act by, and what they may do in the account
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

/** Whether a role owns the accounts in which somebody has it. */
export function isOwnerRole({ id }: Roles, roleType: number): boolean {
  return roleType === id.admin || roleType === id.owner;
}

function refusal(message: string): AppError {
  return new AppError('invalid_input', { issues: [{ path: 'roleType', message }] });
}
