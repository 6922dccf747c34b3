import type { Subscription } from '@paddle/paddle-node-sdk';

/** The SDK renames the API's fields. Events, which we also read, have the original names. */
export function asListed(subscription: Subscription): object {
  const { currentBillingPeriod, scheduledChange } = subscription;
  return {
    id: subscription.id,
    customer_id: subscription.customerId,
    status: subscription.status,
    started_at: subscription.startedAt,
    created_at: subscription.createdAt,
    current_billing_period: currentBillingPeriod && { ends_at: currentBillingPeriod.endsAt },
    scheduled_change: scheduledChange && {
      action: scheduledChange.action,
      effective_at: scheduledChange.effectiveAt,
    },
    items: subscription.items.map(({ price }) => ({ price: { id: price.id } })),
    custom_data: subscription.customData,
  };
}
