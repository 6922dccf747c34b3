import { type CustomRole, PERMISSIONS } from '@gatehouse/auth-core';
import type { AccessSnapshotRow, AccountState, CustomRoleRow } from '@gatehouse/db';
import type { MemberSnapshot } from './member-snapshot.js';

const NO_CUSTOM_ROLES: MemberSnapshot['customRoles'] = new Map();

/** A member as read from the database. `withCustomRoles` adds the permissions of their custom roles. */
export function toMemberSnapshot(row: AccessSnapshotRow): MemberSnapshot {
  const customRoleIds = row.memberships.flatMap(({ accountId, customRoleId }) =>
    customRoleId === null ? [] : [[accountId, customRoleId] as const],
  );
  return {
    ...row,
    memberships: new Map(row.memberships.map(({ accountId, roleType }) => [accountId, roleType])),
    grants: new Set(row.grants),
    customRoleIds: new Map(customRoleIds),
    customRoles: NO_CUSTOM_ROLES,
    actor: undefined,
  };
}

/** Resolves a member's custom roles by the current states of these accounts. */
export function customRolesIn(
  { customRoleIds }: MemberSnapshot,
  accounts: ReadonlyMap<number, AccountState>,
): MemberSnapshot['customRoles'] {
  return new Map(
    [...customRoleIds].map(([accountId, roleId]) => {
      const row = accounts.get(accountId)?.customRoles.find(({ id }) => id === roleId);
      return [accountId, row && toCustomRole(row)];
    }),
  );
}

/** A custom role of an account. Permissions unknown to this release are ignored. */
export function toCustomRole({ id, name, roleType, permissions }: CustomRoleRow): CustomRole {
  return {
    id,
    name,
    roleType,
    permissions: new Set(PERMISSIONS.filter((permission) => permissions.includes(permission))),
  };
}
