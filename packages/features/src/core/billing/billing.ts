import type { NewWebhook } from '@gatehouse/db/queries/process-webhooks';
import type { BillingProvider } from './billing-event.js';
import type { PaymentApi } from './payment-api.js';
import type { SubscriptionSource } from './subscription-source.js';

/** Loads a provider's SDK at the first request. */
export type PaymentApiLoader = () => Promise<PaymentApi>;

/** The API client of each provider; undefined without an API key. */
export type PaymentApis = Readonly<Record<BillingProvider, PaymentApiLoader | undefined>>;

/** The source of each provider's subscriptions. */
export type SubscriptionSources = Readonly<Record<BillingProvider, SubscriptionSource>>;

export interface WebhookInbox {
  /**
   * Stores an event and resolves once it is on the disk; false when it already was. Events that arrive during a
   * commit share the next one, so a burst waits for a few commits only.
   */
  store(row: NewWebhook & { readonly dedupeKey: string }): Promise<boolean>;
  /** Resolves when this node has no delivery left to store, or after `mostMs`: storing takes priority over effects. */
  untilStored(mostMs: number): Promise<void>;
}

export interface RejectionCaps {
  /** Whether no more rejected deliveries are stored from an address for now. */
  isCapped(address: string): Promise<boolean>;
}

/** The state of the payments feature while a service runs. */
export interface Billing {
  readonly apis: PaymentApis;
  readonly sources: SubscriptionSources;
  readonly inbox: WebhookInbox;
  readonly rejections: RejectionCaps;
}
