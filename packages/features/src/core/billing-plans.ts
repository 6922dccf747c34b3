import { z } from 'zod';

/** The price of a plan, as shown before payment; the provider decides what people pay. */
export const planPrice = z.strictObject({
  /** In the whole unit of the currency, such as euros. */
  amount: z.number().min(0).max(1_000_000),
  currency: z.string().regex(/^[A-Z]{3}$/),
  per: z.enum(['month', 'year']),
});

const plan = z.strictObject({
  /** The key that a client sends. */
  key: z.string().regex(/^[\w-]{1,60}$/),
  provider: z.enum(['stripe', 'paddle']),
  /** The provider's id of the price; clients never send one. */
  priceId: z.string().regex(/^[\x21-\x7e]{1,255}$/),
  name: z.string().trim().min(1).max(60),
  price: planPrice.optional(),
});

/** A plan that an account can buy. */
export type BillingPlan = z.output<typeof plan>;

const plans = z
  .array(plan)
  .max(50)
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length);

/** The plans of BILLING_PLANS; none if the variable is unset. */
export const billingPlans = z
  .string()
  .default('[]')
  .transform((text, context): readonly BillingPlan[] => {
    const parsed = plans.safeParse(parsedJson(text));
    if (parsed.success) return parsed.data;
    context.addIssue({
      code: 'custom',
      message:
        'must be JSON such as [{"key":"team","provider":"stripe","priceId":"price_1","name":"Team"}], each key once',
    });
    return z.NEVER;
  });

/** The plan among the prices of a subscription, and what is paid besides it; the provider's ids of prices. */
interface PlanAndAddOns {
  readonly plan: string | null;
  readonly addOns: readonly string[];
}

/** The plan is the first price that is in BILLING_PLANS, whatever its place among the items; the first item if none is. */
export function planAndAddOns(
  provider: string | undefined,
  prices: readonly string[],
  plans: readonly BillingPlan[],
): PlanAndAddOns {
  const sold = new Set(plans.filter((plan) => plan.provider === provider).map(({ priceId }) => priceId));
  const plan = prices.find((price) => sold.has(price)) ?? prices[0] ?? null;
  return { plan, addOns: prices.filter((price) => price !== plan) };
}

/** The plan of BILLING_PLANS with a provider's price. */
export function findPlan(
  plans: readonly BillingPlan[],
  provider: string | null,
  priceId: string | null,
): BillingPlan | undefined {
  return plans.find((plan) => plan.provider === provider && plan.priceId === priceId);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
