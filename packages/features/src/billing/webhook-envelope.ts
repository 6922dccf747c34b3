import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { BillingProvider } from '../core/billing/billing-event.js';
import type { Config } from '../core/config.js';
import { isoMicroseconds, providerId, unixMicroseconds } from './provider-fields.js';

/** One webhook address of a payment provider, with its own secrets. */
export interface WebhookEndpoint {
  readonly provider: BillingProvider;
  /** Whether its events are without real payments. */
  readonly isSandbox: boolean;
  readonly secrets: (config: Config) => readonly string[];
}

/** The key is the name of the endpoint in the webhook log. */
export const WEBHOOK_ENDPOINTS = {
  stripe_webhooks: {
    provider: 'stripe',
    isSandbox: false,
    secrets: (config) => config.STRIPE_WEBHOOK_SECRET,
  },
  paddle_sandbox_webhooks: {
    provider: 'paddle',
    isSandbox: true,
    secrets: (config) => config.PADDLE_SANDBOX_WEBHOOK_SECRET,
  },
  paddle_production_webhooks: {
    provider: 'paddle',
    isSandbox: false,
    secrets: (config) => config.PADDLE_PRODUCTION_WEBHOOK_SECRET,
  },
  paddle_Admin_webhooks: {
    provider: 'paddle',
    isSandbox: false,
    secrets: (config) => config.PADDLE_ADMIN_WEBHOOK_SECRET,
  },
} as const satisfies Readonly<Record<string, WebhookEndpoint>>;

export type WebhookEndpointName = keyof typeof WEBHOOK_ENDPOINTS;

/** The result of reading a request's body. */
export interface Delivery {
  /** The beginning of the body, at most `MAX_BYTES`. */
  readonly body: Buffer;
  /** The length of the whole body. */
  readonly bytes: number;
  /** The hexadecimal SHA-256 of the whole body. */
  readonly digest: string;
  /** `too_large` exceeds `MAX_BYTES`; `incomplete` means that the sender disconnected early. */
  readonly extent: 'whole' | 'too_large' | 'incomplete';
}

/** The longest body that is kept. */
const MAX_BYTES = 1024 * 1024;

/**
 * A longer body is read and discarded, so that the sender gets the answer instead of a broken connection. Beyond
 * this the connection is closed.
 */
const MAX_BYTES_READ = 32 * 1024 * 1024;

/** Reads a body as it arrives, keeping at most `MAX_BYTES`. Does not reject. */
export function readDelivery(request: IncomingMessage): Promise<Delivery> {
  return new Promise((resolve) => {
    const hash = createHash('sha256');
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isOver = false;

    const finish = (hasEnded: boolean) => {
      if (isOver) return;
      isOver = true;
      const extent = bytes > MAX_BYTES ? 'too_large' : hasEnded ? 'whole' : 'incomplete';
      resolve({ body: Buffer.concat(chunks), bytes, digest: hash.digest('hex'), extent });
    };
    request.on('data', (chunk: Buffer) => {
      if (isOver) return;
      const room = MAX_BYTES - bytes;
      if (room > 0) chunks.push(chunk.subarray(0, room));
      bytes += chunk.length;
      hash.update(chunk);
      if (bytes > MAX_BYTES_READ) {
        request.pause();
        finish(false);
      }
    });
    request.on('end', () => finish(true));
    request.on('error', () => finish(false));
    request.on('close', () => finish(false));
  });
}

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
interface WebhookLabel {
  readonly eventId: string | null;
  readonly type: string | null;
}

const id = providerId.nullable().catch(null);

const type = eventType.nullable().catch(null);

const LABEL_FIELDS: Readonly<Record<BillingProvider, { readonly id: string; readonly type: string }>> = {
  stripe: { id: 'id', type: 'type' },
  paddle: { id: 'event_id', type: 'event_type' },
};

/** In a body that was not kept whole, the label is searched for in this many bytes of its beginning. */
const BEGINNING_BYTES = 4096;

/** The envelope in an unverified body, for the log only; null if the body does not contain it. */
export function readWebhookLabel(
  provider: BillingProvider,
  { body, extent }: Pick<Delivery, 'body' | 'extent'>,
): WebhookLabel {
  const names = LABEL_FIELDS[provider];
  const isWhole = extent === 'whole';
  const text = new TextDecoder().decode(isWhole ? body : body.subarray(0, BEGINNING_BYTES));
  const event = z
    .record(z.string(), z.unknown())
    .catch({})
    .parse(isWhole ? parsedJson(text) : Object.fromEntries(topLevelStrings(text)));
  return { eventId: id.parse(event[names.id]), type: type.parse(event[names.type]) };
}

/** The strings of a JSON object before its first nested value. */
function topLevelStrings(text: string): [string, string][] {
  const [beginning = ''] = /^[^[{]*/.exec(text.trimStart().replace(/^\{/, '')) ?? [];
  return [...beginning.matchAll(/"([^"\\]+)"\s*:\s*"([^"\\]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
