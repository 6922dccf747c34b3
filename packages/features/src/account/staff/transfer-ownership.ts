import { AppError } from '@gatehouse/auth-core';
import { findAccount } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../audit/make-change.js';
import { requireFresh } from '../../core/guard/freshness.js';
import { freshRootProcedure } from '../../core/guard/procedures.js';
import { reason } from '../../core/inputs.js';
import { handOver } from '../ownership/hand-over.js';
import { accountView, toAccountView } from './account-view.js';

/**
 * Makes another member of an account its primary owner, with the role of an owner; whoever was it keeps theirs. Both are
 * told. Repeating it changes nothing.
 */
export const transferOwnership = freshRootProcedure
  .meta({
    about: {
      summary: 'Hand an account over',
      refuses: ['verification_required', 'not_found', 'unconfirmed', 'owner_lacks_factor'],
    },
  })
  .input(z.object({ accountId: z.int().positive(), memberId: z.int().positive(), reason }))
  .output(z.object({ message: z.string(), data: accountView }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const { accountId, memberId: newOwner } = input;
    const known = await findAccount(services.db, accountId);
    if (!known || known.isDeleted) throw new AppError('not_found');
    const before = known.ownerId;
    const subjects = { members: [...new Set([newOwner, before])], accounts: [accountId] };
    const data = await makeChange(ctx, subjects, async (tx, nowMs, decided) => {
      await requireFresh(decided, decided.caller);
      const account = await findAccount(tx, accountId);
      if (!account || account.isDeleted) throw new AppError('not_found');
      if (account.ownerId === newOwner) return { result: toAccountView(account), record: undefined };
      // Somebody handed it over after the members to lock were chosen.
      if (account.ownerId !== before) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      await handOver(tx, services, { account, from: before, to: newOwner, isByStaff: true, nowMs });
      return {
        result: toAccountView({ ...account, ownerId: newOwner }),
        record: {
          action: 'account.ownership-moved',
          accountId,
          onBehalfOfId: newOwner,
          subjectKind: 'account',
          subjectId: accountId,
          before: { ownerId: before },
          after: { ownerId: newOwner, reason: input.reason },
        },
      };
    });
    services.wakeups.wake('mail');
    return { message: 'The account has its new primary owner', data };
  });
