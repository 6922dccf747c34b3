import type { BillingProvider } from '../core/billing/billing-event.js';
import type { Config } from '../core/config.js';

/** One webhook address of a payment provider, with its own secrets. */
export interface WebhookEndpoint {
  readonly provider: BillingProvider;
  /** Whether its events are without real payments. */
  readonly isSandbox: boolean;
  readonly secrets: (config: Config) => readonly string[];
}

/** The key is the name of the endpoint in the webhook log. */
export const WEBHOOK_ENDPOINTS = {
  stripe_webhooks: {
    provider: 'stripe',
    isSandbox: false,
    secrets: (config) => config.STRIPE_WEBHOOK_SECRET,
  },
  paddle_sandbox_webhooks: {
    provider: 'paddle',
    isSandbox: true,
    secrets: (config) => config.PADDLE_SANDBOX_WEBHOOK_SECRET,
  },
  paddle_production_webhooks: {
    provider: 'paddle',
    isSandbox: false,
    secrets: (config) => config.PADDLE_PRODUCTION_WEBHOOK_SECRET,
  },
  paddle_Admin_webhooks: {
    provider: 'paddle',
    isSandbox: false,
    secrets: (config) => config.PADDLE_ADMIN_WEBHOOK_SECRET,
  },
} as const satisfies Readonly<Record<string, WebhookEndpoint>>;

export type WebhookEndpointName = keyof typeof WEBHOOK_ENDPOINTS;
