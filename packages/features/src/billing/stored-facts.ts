import { canonicalAddress } from '@gatehouse/auth-core';
import { z } from 'zod';
import type { CustomerFacts, SubscriptionFacts } from './subscription-facts.js';

function stamped<Value>(value: z.ZodType<Value>) {
  return z
    .object({ value, atUs: z.number(), weight: z.number(), rank: z.number(), eventId: z.string() })
    .optional();
}

const snapshot = z.object({
  status: z.enum(['pending', 'trialing', 'active', 'past_due', 'paused', 'canceled', 'abandoned']),
  plan: z.string().nullable(),
  startedAtMs: z.number().nullable(),
  periodEndsAtMs: z.number().nullable(),
  cancelAtMs: z.number().nullable(),
});

/** Facts of a subscription as stored in JSON; empty when nothing is stored yet. */
export const storedSubscriptionFacts: z.ZodType<SubscriptionFacts> = z.object({
  account: stamped(z.number()),
  snapshot: stamped(snapshot),
  paid: stamped(z.literal(true)),
  failed: stamped(z.literal(true)),
  overdue: z.object({ settledAtUs: z.number(), missedAtUs: z.array(z.number()) }).optional(),
});

/** Facts of a customer as stored in JSON. */
export const storedCustomerFacts: z.ZodType<CustomerFacts> = z.object({
  account: stamped(z.number()),
  profile: stamped(z.object({ email: z.string().nullable(), name: z.string().nullable() })),
});

/** The customer's address, in its canonical form if it is one, so that erasing its owner finds it. */
export function customerAddress({ profile }: CustomerFacts): string | null {
  const email = profile?.value.email ?? null;
  return email === null ? null : (canonicalAddress(email) ?? email);
}
