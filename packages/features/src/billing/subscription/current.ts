import { AppError } from '@gatehouse/auth-core';
import { z } from 'zod';
import { currentSubscription, currentSubscriptionView } from '../../core/current-subscription.js';
import { accountProcedure } from '../../core/guard/procedures.js';

/** The subscription state of the selected account, for all its members. */
export const current = accountProcedure('account.read')
  .meta({ about: { summary: 'Show whether what the account pays for is active' } })
  .output(z.object({ data: currentSubscriptionView }))
  .query(async ({ ctx }) => {
    const account = await ctx.services.access.account(ctx.account.id);
    if (!account) throw new AppError('account_forbidden');
    return { data: currentSubscription(ctx.services, account) };
  });
