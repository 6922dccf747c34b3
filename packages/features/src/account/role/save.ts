import { AppError, mayChange, type Permission, type Roles, searchKey } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  DuplicateKeyError,
  findAccountState,
  insertCustomRole,
  setCustomRole,
} from '@gatehouse/db';
import { z } from 'zod';
import { changedFields } from '../../audit/changed-fields.js';
import { makeChange } from '../../audit/make-change.js';
import { actingRoleIn } from '../../core/authority/authority-over.js';
import { requireWithinCeiling } from '../../core/authority/given-role.js';
import { inPersonAccountProcedure } from '../../core/guard/procedures.js';
import { requireCustomRank, roleName, rolePermissions } from './role-input.js';
import { roleView, toRoleView } from './role-view.js';

const MOST_ROLES = 20;

/**
 * Creates or changes a custom role. A change applies to everybody with the role from their next request on.
 */
export const save = inPersonAccountProcedure('account.manage')
  .meta({
    about: {
      summary: 'Make or change a role of the account',
      refuses: ['permission_denied', 'not_found', 'role_taken', 'role_limit'],
    },
  })
  .input(
    z.object({
      customRoleId: z.int().positive().optional(),
      name: roleName,
      /** The built-in role it ranks as, which older clients see: 2 to 5. */
      roleType: z.int(),
      permissions: rolePermissions,
    }),
  )
  .output(z.object({ message: z.string(), data: roleView }))
  .mutation(async ({ ctx, input }) => {
    const { roles } = ctx.services;
    const { customRoleId, name, roleType, permissions } = input;
    requireCustomRank(roles, roleType);
    const accountId = ctx.account.id;
    const nameKey = searchKey(name);
    if (isBuiltIn(roles, nameKey)) throw new AppError('role_taken');
    const data = await makeChange(ctx, { accounts: [accountId] }, async (tx, nowMs, decided) => {
      const account = await findAccountState(tx, accountId);
      if (!account) throw new AppError('account_forbidden');
      const before = account.customRoles.find(({ id }) => id === customRoleId);
      if (customRoleId !== undefined && !before) throw new AppError('not_found');
      const role = actingRoleIn(roles, decided.caller.member, accountId);
      // Nobody may change a role above their own, just as nobody may change a member who has one.
      if (before && !mayChange(roles, role, before.roleType)) throw new AppError('permission_denied');
      const actor = { role, permissions: decided.account.permissions };
      requireWithinCeiling(roles, actor, { roleType, permissions: new Set<Permission>(permissions) });
      if (!before && account.customRoles.length >= MOST_ROLES) throw new AppError('role_limit');
      const changed = changedFields({ ...before }, { name, roleType, permissions });
      const written = { accountId, name, nameKey, roleType, permissions, nowMs };
      const id = changed ? await write(tx, before?.id, written) : (before?.id ?? 0);
      return {
        result: toRoleView({ id, name, roleType, permissions }),
        record: changed && {
          action: before ? 'role.changed' : 'role.made',
          accountId,
          subjectKind: 'role',
          subjectId: id,
          ...changed,
        },
      };
    });
    return { message: 'The role is saved', data };
  });

async function write(
  tx: AccessTransaction,
  id: number | undefined,
  role: Parameters<typeof insertCustomRole>[1],
): Promise<number> {
  const written = id === undefined ? insertCustomRole(tx, role) : setCustomRole(tx, { id, ...role });
  const made = await written.catch((error: unknown) => {
    throw error instanceof DuplicateKeyError ? new AppError('role_taken', { cause: error }) : error;
  });
  return made ?? id ?? 0;
}

function isBuiltIn(roles: Roles, nameKey: string): boolean {
  return Object.values(roles.id).some((roleType) => searchKey(roles.labelOf(roleType)) === nameKey);
}
