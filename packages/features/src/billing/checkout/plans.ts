import { AppError } from '@gatehouse/auth-core';
import { listView } from '@gatehouse/http/page';
import { z } from 'zod';
import { planPrice } from '../../core/billing-plans.js';
import { accountProcedure } from '../../core/guard/procedures.js';
import { BILLING_PROVIDERS } from '../billing-provider.js';
import { offeredPlans } from './offered-plans.js';

const planView = z.object({
  key: z.string(),
  provider: z.enum(BILLING_PROVIDERS),
  priceId: z.string(),
  name: z.string(),
  /** Absent where the configuration names none. */
  price: planPrice.optional(),
});

/** The plans an account can buy. */
export const plans = accountProcedure('billing.manage')
  .meta({ about: { summary: 'List the plans an account can buy', refuses: ['provider_not_configured'] } })
  .output(listView(planView))
  .query(({ ctx }) => {
    const data = offeredPlans(ctx.services);
    if (data.length === 0) throw new AppError('provider_not_configured');
    return { data, page: { limit: data.length, nextCursor: null } };
  });
