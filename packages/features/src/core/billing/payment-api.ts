import type { BillingClaims } from './billing-event.js';

/** A provider's open checkout: its page, and when it expires. */
export interface ProviderCheckout {
  readonly checkoutId: string;
  readonly url: string;
  readonly expiresAtMs: number;
}

/** The previous checkout was paid, so no other one was opened. */
export interface PaidCheckout {
  /** Null if the provider has not created it yet. */
  readonly paidFor: { readonly subscriptionId: string | null };
}

export interface CheckoutRequest {
  readonly accountId: number;
  /** Undefined if the payer enters an address at the checkout. */
  readonly customerId: string | undefined;
  readonly priceId: string;
  /** A repeated request with the same key opens one checkout. */
  readonly idempotencyKey: string;
  /** The URL to which the payer returns, paid or not. */
  readonly returnUrl: string;
  /** The account's last open checkout. It is returned again, changed, or ended before another is opened. */
  readonly previous: { readonly checkoutId: string; readonly priceId: string } | undefined;
  readonly nowMs: number;
}

export interface PortalRequest {
  readonly customerId: string;
  readonly returnUrl: string;
  /** What the customer wants to do with a subscription; the provider's overview leads to it if there is no page for it. */
  readonly change: { readonly kind: 'change' | 'cancel'; readonly subscriptionId: string } | undefined;
}

/** An invoice that was issued to a customer. */
export interface ProviderInvoice {
  readonly id: string;
  readonly customerId: string;
  /** Null if the provider gave it none. */
  readonly number: string | null;
  readonly issuedAtMs: number;
  /** In the smallest unit in which the provider counts the currency. */
  readonly amount: number;
  /** How many of the last digits of the amount are decimals. */
  readonly decimals: number;
  /** A code of ISO 4217. */
  readonly currency: string;
  readonly state: InvoiceState;
  /** The provider's page of the invoice; null if it has none. */
  readonly pageUrl: string | null;
  readonly pdfUrl: string | null;
}

export const INVOICE_STATES = ['paid', 'open', 'uncollectible', 'void'] as const;

export type InvoiceState = (typeof INVOICE_STATES)[number];

/** The latest invoices of a customer, newest first. */
export interface ProviderInvoices {
  readonly invoices: readonly ProviderInvoice[];
  readonly hasOlder: boolean;
}

/**
 * Our requests to a payment provider. Every method rejects if the provider refuses or its answer has an
 * undocumented form.
 */
export interface PaymentApi {
  /**
   * Creates the customer of an account. Undefined if the address belongs to another customer of the provider.
   */
  createCustomer(customer: {
    readonly accountId: number;
    /** The payer's confirmed address; only Paddle needs one. */
    readonly email: string | undefined;
    readonly idempotencyKey: string;
  }): Promise<string | undefined>;
  openCheckout(request: CheckoutRequest): Promise<ProviderCheckout | PaidCheckout>;
  /** Ends a checkout, so that it can no longer be paid. One that the provider does not know has ended. */
  endCheckout(checkoutId: string): Promise<'ended' | PaidCheckout>;
  /** Ends a subscription at once. Does nothing for an ended one, or one that the provider does not know. */
  cancelSubscription(subscriptionId: string): Promise<void>;
  /** The provider's present statement about a subscription; undefined if the provider says that it does not exist. */
  findSubscription(subscriptionId: string): Promise<BillingClaims | undefined>;
  /** Whether the provider still has a customer. */
  hasCustomer(customerId: string): Promise<boolean>;
  /** The page where a customer sees invoices, and changes or cancels their plan. */
  openPortal(request: PortalRequest): Promise<string>;
  /** The invoices of a customer, drafts left out; none if the provider says that the customer does not exist. */
  listInvoices(customer: { readonly customerId: string; readonly limit: number }): Promise<ProviderInvoices>;
}
