import { canonicalAddress } from '@gatehouse/auth-core';
import type { BillingSubscriptionRow } from '@gatehouse/db/queries/billing-subscriptions';
import { z } from 'zod';
import type { ProviderSubscription } from './account-subscription.js';
import type { CustomerFacts, SubscriptionFacts } from './subscription-facts.js';

const stampedShape = <Value>(value: z.ZodType<Value>) =>
  z.object({ value, atUs: z.number(), weight: z.number(), rank: z.number(), eventId: z.string() });

const stamped = <Value>(value: z.ZodType<Value>) => stampedShape(value).optional();

const snapshot = z.object({
  status: z.enum(['pending', 'trialing', 'active', 'past_due', 'paused', 'canceled', 'abandoned']),
  prices: z.array(z.string()),
  startedAtMs: z.number().nullable(),
  periodEndsAtMs: z.number().nullable(),
  cancelAtMs: z.number().nullable(),
  collectionPaused: z.boolean(),
});

const change = z.object({ before: z.string().nullable(), after: z.string().nullable() });

/** Facts of a subscription as stored in JSON; empty when nothing is stored yet. */
export const storedSubscriptionFacts: z.ZodType<SubscriptionFacts> = z.object({
  account: stamped(z.number()),
  recent: z.array(stampedShape(snapshot).extend({ change })).optional(),
  snapshot: stamped(snapshot),
  isUncertain: z.literal(true).optional(),
  paid: stamped(z.literal(true)),
  failed: stamped(z.literal(true)),
  overdue: z.object({ settledAtUs: z.number(), missedAtUs: z.array(z.number()) }).optional(),
});

/** Facts of a customer as stored in JSON. */
export const storedCustomerFacts: z.ZodType<CustomerFacts> = z.object({
  account: stamped(z.number()),
  profile: stamped(z.object({ email: z.string().nullable(), name: z.string().nullable() })),
  isGone: z.literal(true).optional(),
});

/**
 * What is stored of a customer apart from the paying account. The address is in its canonical form if it has one, so
 * that erasing its owner finds it.
 */
export function customerColumns(facts: CustomerFacts) {
  const { email = null, name = null } = facts.profile?.value ?? {};
  return {
    accountId: facts.account?.value ?? null,
    email: email === null ? null : (canonicalAddress(email) ?? email),
    name,
    isGone: facts.isGone ?? false,
    detail: facts,
  };
}

/** A stored subscription with its parsed facts. */
export function toProviderSubscription(row: BillingSubscriptionRow): ProviderSubscription {
  const { provider, subscriptionId, customerId } = row;
  return { provider, subscriptionId, customerId, facts: storedSubscriptionFacts.parse(row.facts) };
}
