import { AppError } from '@gatehouse/auth-core';
import { listView } from '@gatehouse/http/page';
import { z } from 'zod';
import type { PaymentApiLoader } from '../core/billing/billing.js';
import { BILLING_PROVIDERS } from '../core/billing/billing-event.js';
import { type BillingPlan, planPrice } from '../core/billing-plans.js';
import type { Services } from '../core/context.js';
import { accountProcedure } from '../core/guard/procedure.js';

/** The plans of BILLING_PLANS whose provider has an API key. */
function offeredPlans(services: Services): BillingPlan[] {
  const apis = services.billing.apis;
  return services.config.BILLING_PLANS.filter(({ provider }) => apis[provider] !== undefined);
}

export interface OfferedPlan {
  readonly plan: BillingPlan;
  readonly loadApi: PaymentApiLoader;
}

/** @throws {AppError} `provider_not_configured` for a plan that is not offered */
export function requirePlan(services: Services, key: string): OfferedPlan {
  const plan = services.config.BILLING_PLANS.find((each) => each.key === key);
  const loadApi = plan && services.billing.apis[plan.provider];
  if (!plan || !loadApi) throw new AppError('provider_not_configured');
  return { plan, loadApi };
}

/** A plan, as an account sees that it can buy it or has it. */
export const planView = z.object({
  key: z.string(),
  provider: z.enum(BILLING_PROVIDERS),
  priceId: z.string(),
  name: z.string(),
  /** Absent if the configuration names none. */
  price: planPrice.optional(),
});

/** The plans an account can buy. */
export const listPlans = accountProcedure('billing.manage')
  .meta({ about: { summary: 'List the plans an account can buy', refuses: ['provider_not_configured'] } })
  .output(listView(planView))
  .query(({ ctx }) => {
    const data = offeredPlans(ctx.services);
    if (data.length === 0) throw new AppError('provider_not_configured');
    return { data, page: { limit: data.length, nextCursor: null } };
  });
