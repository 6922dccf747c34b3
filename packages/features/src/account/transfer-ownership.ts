import { AppError } from '@gatehouse/auth-core';
import { findAccount } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../audit/make-change.js';
import { freshOwnerProcedure } from '../core/guard/procedures.js';
import { ownAccountView, ownRole, toOwnAccountView } from './own-account-view.js';
import { handOver } from './ownership/hand-over.js';

/**
 * Makes another member the account's primary owner, with the role of an owner. The previous one keeps their
 * role.
 */
export const transferOwnership = freshOwnerProcedure
  .meta({
    about: { summary: 'Hand the account over', refuses: ['not_found', 'unconfirmed', 'owner_lacks_factor'] },
  })
  .input(z.object({ memberId: z.int().positive() }))
  .output(z.object({ message: z.string(), data: ownAccountView }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const accountId = ctx.account.id;
    const before = ctx.caller.memberId;
    const newOwner = input.memberId;
    const subjects = { members: [...new Set([newOwner, before])], accounts: [accountId] };
    const data = await makeChange(ctx, subjects, async (tx, nowMs, decided) => {
      const account = await findAccount(tx, accountId);
      if (!account) throw new AppError('account_forbidden');
      const role = ownRole(services.roles, decided.caller.member, accountId);
      if (newOwner === before) {
        return { result: toOwnAccountView(account, before, role), record: undefined };
      }
      await handOver(tx, services, { account, from: before, to: newOwner, nowMs });
      return {
        result: toOwnAccountView({ ...account, ownerId: newOwner }, before, role),
        record: {
          action: 'account.ownership-moved',
          accountId,
          onBehalfOfId: newOwner,
          subjectKind: 'account',
          subjectId: accountId,
          before: { ownerId: before },
          after: { ownerId: newOwner },
        },
      };
    });
    services.wakeups.wake('mail');
    return { message: 'The account has its new primary owner', data };
  });
