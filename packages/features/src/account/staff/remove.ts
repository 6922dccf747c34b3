import { AppError } from '@gatehouse/auth-core';
import {
  changeAccess,
  endAccountAccess,
  findAccountState,
  removeAccount,
  revokeInvitations,
} from '@gatehouse/db';
import { z } from 'zod';
import { rootProcedure } from '../../app/procedures.js';
import { makeChange } from '../../audit/make-change.js';

/** Deletes an account softly: with the answer it is closed to everybody, staff included. */
export const remove = rootProcedure
  .input(z.object({ accountId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { accountId } }) =>
    makeChange(ctx, { accounts: [accountId] }, async (tx, nowMs, { caller }) => {
      const account = await findAccountState(tx, accountId);
      const isRemoved = await removeAccount(tx, { accountId, nowMs });
      if (!isRemoved || !account) throw new AppError('not_found');
      await revokeInvitations(tx, { accountId, endedById: caller.memberId, nowMs });
      const staff = await endAccountAccess(tx, { accountId, nowMs });
      await changeAccess(tx, { members: staff }, () => Promise.resolve());
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
