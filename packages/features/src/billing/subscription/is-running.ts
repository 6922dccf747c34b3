import type { SubscriptionRow } from '@gatehouse/db';

/** Whether this is a provider subscription that has not ended. */
export function isRunning({ provider, state }: Pick<SubscriptionRow, 'provider' | 'state'>): boolean {
  return provider !== null && state !== 'canceled' && state !== 'expired';
}
