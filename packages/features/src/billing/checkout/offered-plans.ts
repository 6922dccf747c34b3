import { AppError } from '@gatehouse/auth-core';
import type { BillingPlan } from '../../core/billing-plans.js';
import type { Services } from '../../core/context.js';
import type { PaymentApiLoader } from '../provider/payment-apis.js';

/** The plans of BILLING_PLANS whose provider has an API key. */
export function offeredPlans(services: Services): BillingPlan[] {
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
