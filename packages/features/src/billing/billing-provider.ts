/** The payment providers that tell us about subscriptions. */
export const BILLING_PROVIDERS = ['stripe', 'paddle'] as const;

export type BillingProvider = (typeof BILLING_PROVIDERS)[number];
