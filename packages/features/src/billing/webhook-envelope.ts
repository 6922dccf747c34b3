import { z } from 'zod';
import type { BillingProvider } from './billing-provider.js';
import { isoMicroseconds, providerId, unixMicroseconds } from './provider-fields.js';

/** The fields that every event of a provider has. */
export interface WebhookEnvelope {
  readonly eventId: string;
  readonly type: string;
  /** When it happened at the provider, in microseconds since 1970. */
  readonly occurredAtUs: number;
  /** Whether the event is marked as a sandbox event; Paddle's have no mark. */
  readonly isTest: boolean;
}

const eventType = z.string().regex(/^[A-Za-z0-9_.[\]-]{1,255}$/);

const SHAPES: Readonly<Record<BillingProvider, z.ZodType<WebhookEnvelope>>> = {
  stripe: z
    .object({
      id: providerId,
      type: eventType,
      created: z.union([unixMicroseconds, isoMicroseconds]),
      livemode: z.boolean().default(true),
    })
    .transform(({ id, type, created, livemode }) => ({
      eventId: id,
      type,
      occurredAtUs: created,
      isTest: !livemode,
    })),
  paddle: z
    .object({ event_id: providerId, event_type: eventType, occurred_at: isoMicroseconds })
    .transform((event) => ({
      eventId: event.event_id,
      type: event.event_type,
      occurredAtUs: event.occurred_at,
      isTest: false,
    })),
};

/** The envelope of an event; undefined when the body is not JSON or not that provider's event. */
export function readWebhookEnvelope(provider: BillingProvider, body: string): WebhookEnvelope | undefined {
  return SHAPES[provider].safeParse(parsedJson(body)).data;
}

/** The id and type of an event. */
export interface WebhookLabel {
  readonly eventId: string | null;
  readonly type: string | null;
}

const id = providerId.nullable().catch(null);
const type = eventType.nullable().catch(null);

const LABELS: Readonly<Record<BillingProvider, z.ZodType<WebhookLabel>>> = {
  stripe: z.object({ id, type }).transform((event) => ({ eventId: event.id, type: event.type })),
  paddle: z
    .object({ event_id: id, event_type: type })
    .transform((event) => ({ eventId: event.event_id, type: event.event_type })),
};

/** The envelope in an unverified body, for the log only; empty if the body is not a JSON object. */
export function readWebhookLabel(provider: BillingProvider, body: string): WebhookLabel {
  return LABELS[provider].safeParse(parsedJson(body)).data ?? { eventId: null, type: null };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
