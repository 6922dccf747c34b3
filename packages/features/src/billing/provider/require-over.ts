import { AppError } from '@gatehouse/auth-core';
import { listBillingSubscriptions } from '@gatehouse/db';
import type { Services } from '../../app/services.js';
import { providerStanding } from '../account-subscription.js';
import type { BillingProvider } from '../billing-provider.js';
import { toProviderSubscription } from '../to-provider-subscription.js';
import type { PaidCheckout } from './payment-api.js';

/**
 * What was paid by a checkout is a subscription, whether or not its events have come, until one says that it is over.
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
