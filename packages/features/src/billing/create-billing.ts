import type { Services } from '../core/context.js';
import { createPaymentApis, type PaymentApis } from './payment-apis.js';
import { createRejectionCaps, type RejectionCaps } from './rejected-deliveries.js';
import { createSubscriptionSources, type SubscriptionSources } from './subscription-sources.js';
import { createWebhookInbox, type WebhookInbox } from './webhook-inbox.js';

/** The state of the payments feature while a service runs. */
export interface Billing {
  readonly apis: PaymentApis;
  readonly sources: SubscriptionSources;
  readonly inbox: WebhookInbox;
  readonly rejections: RejectionCaps;
}

declare module '../core/context.js' {
  interface Services {
    readonly billing: Billing;
  }
}

export function createBilling({ config, db, now }: Pick<Services, 'config' | 'db' | 'now'>): Billing {
  return {
    apis: createPaymentApis(config),
    sources: createSubscriptionSources({ config, db }),
    inbox: createWebhookInbox(db),
    rejections: createRejectionCaps({ db, now }),
  };
}
