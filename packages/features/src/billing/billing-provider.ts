/** The payment providers that send subscription events. */
export const BILLING_PROVIDERS = ['stripe', 'paddle'] as const;

export type BillingProvider = (typeof BILLING_PROVIDERS)[number];
