import type { BillingProvider } from '../billing-provider.js';

/** A checkout that the provider has open: its page, and until when it is good. */
export interface ProviderCheckout {
  readonly checkoutId: string;
  readonly url: string;
  readonly expiresAtMs: number;
}

/** The checkout that was open before was paid, so no other one was opened. */
export interface PaidCheckout {
  /** Null while the provider has not made it yet. */
  readonly paidFor: { readonly subscriptionId: string | null };
}

export interface CheckoutRequest {
  readonly accountId: number;
  /** Undefined where the payer says at the checkout who they are. */
  readonly customerId: string | undefined;
  readonly priceId: string;
  /** The same request under the same key opens one checkout. */
  readonly idempotencyKey: string;
  /** Where the payer returns to, paid or not. */
  readonly returnUrl: string;
  /** The checkout of this account that was open last: the same again, changed, or ended before another is opened. */
  readonly previous: { readonly checkoutId: string; readonly priceId: string } | undefined;
  readonly nowMs: number;
}

/** What we ask a payment provider for. Every method rejects where the provider refuses or does not answer as documented. */
export interface PaymentApi {
  /** Makes the customer of an account; undefined where the provider knows the address as somebody else's. */
  createCustomer(customer: {
    readonly accountId: number;
    /** A confirmed address of whoever pays; only Paddle needs one. */
    readonly email: string | undefined;
    readonly idempotencyKey: string;
  }): Promise<string | undefined>;
  openCheckout(request: CheckoutRequest): Promise<ProviderCheckout | PaidCheckout>;
  /** Ends a checkout, so that nobody pays by it any more. */
  endCheckout(checkoutId: string): Promise<'ended' | PaidCheckout>;
  /** Ends a subscription at once; one that is over stays so. */
  cancelSubscription(subscriptionId: string): Promise<void>;
  /** The page on which a customer sees invoices and changes or cancels what they pay for. */
  openPortal(customer: { readonly customerId: string; readonly returnUrl: string }): Promise<string>;
}

export type PaymentApis = Readonly<Record<BillingProvider, PaymentApi | undefined>>;
