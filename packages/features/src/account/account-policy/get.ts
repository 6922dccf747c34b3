import { AppError } from '@gatehouse/auth-core';
import { z } from 'zod';
import { accountProcedure } from '../../core/guard/procedures.js';
import { policyView, toPolicyView } from './policy-view.js';

/** The level that the account asks of sessions, and how many members fall short. */
export const get = accountProcedure('account.manage')
  .meta({ about: { summary: 'See which level of authentication the account asks for' } })
  .output(z.object({ data: policyView }))
  .query(async ({ ctx }) => {
    const { access, db, now, relyingParty } = ctx.services;
    const accountId = ctx.account.id;
    const account = await access.account(accountId);
    if (!account) throw new AppError('account_forbidden');
    return { data: await toPolicyView(db, account, { accountId, nowMs: now(), relyingParty }) };
  });
