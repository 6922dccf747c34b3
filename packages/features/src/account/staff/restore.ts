import { AppError } from '@gatehouse/auth-core';
import { findAccount, findMember, findMembership, reopenAccount } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../audit/make-change.js';
import { isOwnerRole } from '../../core/authority/given-role.js';
import { rootProcedure } from '../../core/guard/procedures.js';
import { reason } from '../../core/inputs.js';
import { ownerlessIssues } from '../ownership/ownerless-issues.js';
import { accountView, toAccountView } from './account-view.js';

/**
 * Opens a closed account again, whoever closed it, for everybody who was in it and still may sign in. One whose primary
 * owner is deleted comes back with them. Repeating it changes nothing.
 */
export const restore = rootProcedure
  .meta({
    about: { summary: 'Restore a closed account', refuses: ['not_found', 'grace_over', 'sole_owner'] },
  })
  .input(z.object({ accountId: z.int().positive(), reason }))
  .output(z.object({ message: z.string(), data: accountView }))
  .mutation(async ({ ctx, input }) => {
    const { db, roles } = ctx.services;
    const { accountId } = input;
    const closed = await findAccount(db, accountId);
    if (!closed) throw new AppError('not_found');
    const subjects = { accounts: [accountId], dependsOn: [closed.ownerId] };
    const data = await makeChange(ctx, subjects, async (tx, nowMs) => {
      const account = await findAccount(tx, accountId);
      if (!account) throw new AppError('not_found');
      const { ownerId } = account;
      if (!account.isDeleted) return { result: toAccountView(account), record: undefined };
      if (ownerId !== closed.ownerId) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      if (account.erasesAtMs === null || nowMs >= account.erasesAtMs) throw new AppError('grace_over');
      const owner = await findMember(tx, ownerId);
      const place = await findMembership(tx, { memberId: ownerId, accountId });
      const isOwned = owner?.isDeleted === false && place?.active && isOwnerRole(roles, place.roleType);
      if (!isOwned) throw new AppError('sole_owner', { issues: ownerlessIssues([account]) });
      if (!(await reopenAccount(tx, { accountId, nowMs }))) throw new AppError('grace_over');
      return {
        result: toAccountView(account),
        record: {
          action: 'account.restored',
          accountId,
          subjectKind: 'account',
          subjectId: accountId,
          before: { closedById: account.closedById, erasesAtMs: account.erasesAtMs },
          after: { reason: input.reason },
        },
      };
    });
    return { message: 'The account is open again', data };
  });
