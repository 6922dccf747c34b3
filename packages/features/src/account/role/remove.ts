import { AppError, mayChange } from '@gatehouse/auth-core';
import { findAccountState, isRoleInUse, removeCustomRole } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../audit/make-change.js';
import { actingRoleIn } from '../../core/authority/authority-over.js';
import { inPersonAccountProcedure } from '../../core/guard/procedures.js';

/** Removes a custom role that no member has. */
export const remove = inPersonAccountProcedure('account.manage')
  .meta({
    about: {
      summary: 'Remove a role of the account',
      refuses: ['permission_denied', 'not_found', 'role_in_use'],
    },
  })
  .input(z.object({ customRoleId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { customRoleId } }) => {
    const accountId = ctx.account.id;
    await makeChange(ctx, { accounts: [accountId] }, async (tx, _nowMs, decided) => {
      const account = await findAccountState(tx, accountId);
      const role = account?.customRoles.find(({ id }) => id === customRoleId);
      if (!role) throw new AppError('not_found');
      const acting = actingRoleIn(ctx.services.roles, decided.caller.member, accountId);
      // As in `role.save`: nobody changes a role above their own.
      if (!mayChange(ctx.services.roles, acting, role.roleType)) throw new AppError('permission_denied');
      if (await isRoleInUse(tx, { customRoleId, accountId })) throw new AppError('role_in_use');
      await removeCustomRole(tx, { id: customRoleId, accountId });
      return {
        result: undefined,
        record: {
          action: 'role.removed',
          accountId,
          subjectKind: 'role',
          subjectId: customRoleId,
          before: role,
          after: null,
        },
      };
    });
    return { message: 'The role is removed' };
  });
