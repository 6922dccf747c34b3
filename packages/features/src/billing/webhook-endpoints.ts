import type { Config } from '../app/config.js';
import type { BillingProvider } from './billing-provider.js';

/** One webhook address of a payment provider, with its own secrets. */
export interface WebhookEndpoint {
  readonly path: string;
  readonly provider: BillingProvider;
  /** Whether its events are without real payments. */
  readonly isSandbox: boolean;
  readonly secrets: (config: Config) => readonly string[];
}

export const WEBHOOK_ENDPOINTS: readonly WebhookEndpoint[] = [
  {
    path: '/stripe_webhooks',
    provider: 'stripe',
    isSandbox: false,
    secrets: (config) => config.STRIPE_WEBHOOK_SECRET,
  },
  {
    path: '/paddle_sandbox_webhooks',
    provider: 'paddle',
    isSandbox: true,
    secrets: (config) => config.PADDLE_SANDBOX_WEBHOOK_SECRET,
  },
  {
    path: '/paddle_production_webhooks',
    provider: 'paddle',
    isSandbox: false,
    secrets: (config) => config.PADDLE_PRODUCTION_WEBHOOK_SECRET,
  },
  {
    path: '/paddle_Admin_webhooks',
    provider: 'paddle',
    isSandbox: false,
    secrets: (config) => config.PADDLE_ADMIN_WEBHOOK_SECRET,
  },
];
