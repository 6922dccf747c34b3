import { PERMISSIONS, ROLE_PERMISSIONS, type RoleName, type Roles } from '@gatehouse/auth-core';
import type { AccountState, CustomRoleRow } from '@gatehouse/db';
import { z } from 'zod';
import { toCustomRole } from '../../core/access/access-reader.js';

/** A role that a member of an account can have. */
export const roleView = z
  .object({
    /** The id of a custom role; null for a built-in one. */
    id: z.int().nullable(),
    customRoleId: z.int().nullable(),
    name: z.string(),
    /** The built-in role that it is, or ranks as. */
    roleType: z.int(),
    permissions: z.array(z.enum(PERMISSIONS)),
    isBuiltIn: z.boolean(),
  })
  .meta({ id: 'Role' });

export type RoleView = z.output<typeof roleView>;

/** The built-in roles, highest first. */
const BUILT_IN: readonly RoleName[] = [
  'admin',
  'owner',
  'accountManager',
  'manager',
  'contributor',
  'designer',
  'userMember',
];

/** The built-in roles, then the account's custom ones by ascending id. */
export function roleViews(roles: Roles, account: AccountState): RoleView[] {
  const own = account.customRoles.toSorted((one, other) => one.id - other.id);
  return [
    ...BUILT_IN.map((name) => ({
      id: null,
      customRoleId: null,
      name: roles.labelOf(roles.id[name]),
      roleType: roles.id[name],
      permissions: [...ROLE_PERMISSIONS[name]],
      isBuiltIn: true,
    })),
    ...own.map(toRoleView),
  ];
}

export function toRoleView(row: CustomRoleRow): RoleView {
  const { id, name, roleType, permissions } = toCustomRole(row);
  return { id, customRoleId: id, name, roleType, permissions: [...permissions], isBuiltIn: false };
}
