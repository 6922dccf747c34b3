import { type CustomRole, ROLE_PERMISSIONS, type Roles } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db';
import { toCustomRole } from '../access/to-member-snapshot.js';

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
    return row && toCustomRole(row);
  }
  const name = roles.nameOf(roleType);
  if (name === undefined || name === 'archived') return undefined;
  return { roleType, permissions: ROLE_PERMISSIONS[name] };
}
