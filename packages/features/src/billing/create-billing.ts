import type { Billing } from '../core/billing/billing.js';
import type { Services } from '../core/context.js';
import { createPaymentApis } from './payment-apis.js';
import { createRejectionCaps } from './rejected-deliveries.js';
import { createSubscriptionSources } from './subscription-sources.js';
import { createWebhookInbox } from './webhook-inbox.js';

export function createBilling({ config, db, now }: Pick<Services, 'config' | 'db' | 'now'>): Billing {
  return {
    apis: createPaymentApis(config),
    sources: createSubscriptionSources({ config, db }),
    inbox: createWebhookInbox(db),
    rejections: createRejectionCaps({ db, now }),
  };
}
