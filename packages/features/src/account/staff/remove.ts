import { AppError } from '@gatehouse/auth-core';
import { findAccount } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../audit/make-change.js';
import { cancelWhereAsked } from '../../billing/provider/cancel-at-provider.js';
import { closeWithPayments } from '../../billing/provider/close-with-payments.js';
import { twoStepFreshRootProcedure } from '../../core/guard/procedures.js';
import { closeAccount } from '../ownership/close-account.js';

/**
 * Deletes an account softly. From the answer on it is closed to everybody, staff included; its data is erased
 * later. Its subscription is canceled at the provider first.
 */
export const remove = twoStepFreshRootProcedure
  .input(z.object({ accountId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { accountId } }) => {
    const { services } = ctx;
    if ((await findAccount(services.db, accountId))?.isDeleted !== false) throw new AppError('not_found');
    const removed = await closeWithPayments(ctx, [accountId], cancelWhereAsked, (confirm) =>
      makeChange(ctx, { accounts: [accountId] }, async (tx, nowMs, decided) => {
        const account = await findAccount(tx, accountId);
        const closed =
          account &&
          (await closeAccount(tx, services, { account, closedById: decided.caller.memberId, nowMs }));
        if (!account || !closed) throw new AppError('not_found');
        await confirm(tx);
        return {
          result: { message: 'The account is deleted' },
          record: {
            action: 'account.removed',
            accountId,
            subjectKind: 'account',
            subjectId: accountId,
            before: { name: account.name },
            after: null,
          },
        };
      }),
    );
    services.wakeups.wake('mail');
    return removed;
  });
