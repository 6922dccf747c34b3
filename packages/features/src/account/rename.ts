import { AppError, personNameSchema, searchKey } from '@gatehouse/auth-core';
import { findAccount, setAccountName } from '@gatehouse/db';
import { z } from 'zod';
import { changedFields } from '../audit/changed-fields.js';
import { makeChange } from '../audit/make-change.js';
import { inPersonAccountProcedure } from '../core/guard/procedures.js';
import { ownAccountView, ownRole, toOwnAccountView } from './own-account-view.js';

/** Renames the account. */
export const rename = inPersonAccountProcedure('account.manage')
  .meta({ about: { summary: 'Rename the account' } })
  .input(z.object({ name: personNameSchema }))
  .output(z.object({ message: z.string(), data: ownAccountView }))
  .mutation(async ({ ctx, input: { name } }) => {
    const accountId = ctx.account.id;
    const data = await makeChange(ctx, { accounts: [accountId] }, async (tx, nowMs, decided) => {
      const account = await findAccount(tx, accountId);
      if (!account) throw new AppError('account_forbidden');
      const changed = changedFields({ name: account.name }, { name });
      if (changed) await setAccountName(tx, { accountId, name, nameKey: searchKey(name), nowMs });
      const { member, memberId } = decided.caller;
      return {
        result: toOwnAccountView(
          { ...account, name },
          memberId,
          ownRole(ctx.services.roles, member, accountId),
        ),
        record: changed && {
          action: 'account.renamed',
          accountId,
          subjectKind: 'account',
          subjectId: accountId,
          ...changed,
        },
      };
    });
    return { message: 'The account has this name', data };
  });
