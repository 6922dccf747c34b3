import { AppError } from '@gatehouse/auth-core';
import { countOwnedAccounts, findAccount, reopenAccount } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../audit/make-change.js';
import { isOwnerRole } from '../core/authority/given-role.js';
import { inPersonProcedure } from '../core/guard/procedures.js';
import { ownAccountView, ownRole, toOwnAccountView } from './own-account-view.js';

/** Reopens an account that its primary owner closed, for all its members who may still sign in. */
export const restore = inPersonProcedure
  .meta({
    about: { summary: 'Restore a closed account', refuses: ['not_found', 'grace_over', 'account_limit'] },
  })
  .input(z.object({ accountId: z.int().positive() }))
  .output(z.object({ message: z.string(), data: ownAccountView }))
  .mutation(async ({ ctx, input: { accountId } }) => {
    const { roles, config } = ctx.services;
    // Otherwise two concurrent restorations could together exceed the limit.
    const subjects = { accounts: [accountId], concerns: [ctx.caller.memberId] };
    const data = await makeChange(ctx, subjects, async (tx, nowMs, decided) => {
      const { member, memberId } = decided.caller;
      const account = await findAccount(tx, accountId);
      const isPrimaryOwner = account?.ownerId === memberId;
      if (!account || !(isPrimaryOwner || member.memberships.has(accountId))) throw new AppError('not_found');
      const canReturn = account.erasesAtMs !== null && nowMs < account.erasesAtMs;
      if (isPrimaryOwner && account.isDeleted && !canReturn) throw new AppError('grace_over');
      const role = ownRole(roles, member, accountId);
      const isOwner = isPrimaryOwner && isOwnerRole(roles, role.roleType);
      const wasClosedByOwner = account.closedById === null || account.closedById === memberId;
      if (!isOwner || !wasClosedByOwner) throw new AppError('permission_denied');
      const restored = toOwnAccountView({ ...account, isDeleted: false, erasesAtMs: null }, memberId, role);
      if (!account.isDeleted) return { result: restored, record: undefined };
      if ((await countOwnedAccounts(tx, memberId)) >= config.ACCOUNTS_PER_MEMBER)
        throw new AppError('account_limit');
      if (!(await reopenAccount(tx, { accountId, nowMs }))) throw new AppError('grace_over');
      return {
        result: restored,
        record: {
          action: 'account.restored',
          accountId,
          subjectKind: 'account',
          subjectId: accountId,
          before: { erasesAtMs: account.erasesAtMs },
          after: null,
        },
      };
    });
    return { message: 'The account is open again', data };
  });
