import type { BillingPlan } from '../app/billing-plans.js';

/** The plan among the prices of a subscription, and what is paid beside it; the provider's ids of prices. */
export interface PlanAndAddOns {
  readonly plan: string | null;
  readonly addOns: readonly string[];
}

/** The plan is the first price that BILLING_PLANS has, whatever its place among the items; the first one if it has none of them. */
export function planAndAddOns(
  provider: string | undefined,
  prices: readonly string[],
  plans: readonly BillingPlan[],
): PlanAndAddOns {
  const sold = new Set(plans.filter((plan) => plan.provider === provider).map(({ priceId }) => priceId));
  const plan = prices.find((price) => sold.has(price)) ?? prices[0] ?? null;
  return { plan, addOns: prices.filter((price) => price !== plan) };
}
