import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import type { StatusTone } from '@gatehouse/ui/parts/icons';

export type Webhook = AdminOutputs['webhook']['list']['data'][number];

/** The tone of a delivery's status, and its words. */
export const STATUS = {
  failed: ['error', 'webhooks.failed'],
  received: ['pending', 'webhooks.received'],
  processed: ['ok', 'webhooks.processed'],
  ignored: ['ok', 'webhooks.ignored'],
  rejected: ['error', 'webhooks.rejected'],
} as const satisfies Readonly<Record<Webhook['status'], readonly [StatusTone, string]>>;
