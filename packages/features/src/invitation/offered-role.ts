import { type CustomRole, ROLE_PERMISSIONS, type Roles } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db';
import { toCustomRole } from '../access/to-member-snapshot.js';

/** A role as an invitation offers it: the built-in one, or the one a role of the account ranks as. */
export type OfferedRole = Pick<CustomRole, 'roleType' | 'permissions'>;

/** What a role of an account gives now; undefined for one that is none, or that nobody can be invited to. */
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
