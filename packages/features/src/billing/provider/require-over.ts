import { AppError } from '@gatehouse/auth-core';
import { listBillingSubscriptions } from '@gatehouse/db';
import type { Services } from '../../core/context.js';
import { providerStanding } from '../account-subscription.js';
import type { BillingProvider } from '../billing-provider.js';
import { toProviderSubscription } from '../to-provider-subscription.js';
import type { PaidCheckout } from './payment-api.js';

/**
 * A paid checkout counts as a subscription, even before its events arrive, until an event says that it has
 * ended.
 * @throws {AppError} `subscribed`
 */
export async function requireOver(
  { db }: Pick<Services, 'db'>,
  provider: BillingProvider,
  { paidFor: { subscriptionId } }: PaidCheckout,
): Promise<void> {
  const subscriptionIds = subscriptionId === null ? [] : [subscriptionId];
  const [row] = await listBillingSubscriptions(db, { provider, subscriptionIds });
  const isOver = row !== undefined && providerStanding(toProviderSubscription(row).facts) === 'canceled';
  if (!isOver) throw new AppError('subscribed');
}
