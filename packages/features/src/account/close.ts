import { AppError } from '@gatehouse/auth-core';
import { findAccount } from '@gatehouse/db';
import { z } from 'zod';
import { freshOwnerProcedure } from '../app/procedures.js';
import { makeChange } from '../audit/make-change.js';
import { closeAccount } from '../ownership/close-account.js';

/** Closes the account to everybody, with the answer. Its primary owner can restore it until what it holds is erased. */
export const close = freshOwnerProcedure
  .meta({ about: { summary: 'Close the account', refuses: ['subscribed'] } })
  .input(
    z.object({
      /** The name of the account as it is, so that nobody closes another one than they mean. */
      name: z.string(),
    }),
  )
  .output(z.object({ message: z.string(), data: z.object({ id: z.int(), erasedAt: z.iso.datetime() }) }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const accountId = ctx.account.id;
    const closing = await makeChange(ctx, { accounts: [accountId] }, async (tx, nowMs, decided) => {
      const account = await findAccount(tx, accountId);
      if (!account) throw new AppError('account_forbidden');
      if (input.name !== account.name) {
        const issues = [{ path: 'name', message: 'This is not the name of the account' }];
        throw new AppError('invalid_input', { issues });
      }
      const closed = await closeAccount(tx, services, {
        account,
        closedById: decided.caller.memberId,
        nowMs,
      });
      if (!closed) throw new AppError('account_forbidden');
      return {
        result: closed,
        record: {
          action: 'account.closed',
          accountId,
          subjectKind: 'account',
          subjectId: accountId,
          before: { name: account.name },
          after: closed,
        },
      };
    });
    services.wakeups.wake('mail');
    const erasedAt = new Date(closing.erasesAtMs).toISOString();
    return { message: 'The account is closed', data: { id: accountId, erasedAt } };
  });
