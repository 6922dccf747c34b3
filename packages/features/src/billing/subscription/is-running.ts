import type { SubscriptionRow } from '@gatehouse/db';

/** Whether this is a subscription at a provider that is not over. */
export function isRunning({ provider, state }: SubscriptionRow): boolean {
  return provider !== null && state !== 'canceled' && state !== 'expired';
}
