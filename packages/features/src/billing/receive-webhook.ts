import { AppError, type ErrorCode } from '@gatehouse/auth-core';
import type { NewWebhook } from '@gatehouse/db/queries/process-webhooks';
import { sendJson } from '@gatehouse/http/rest/reply';
import type { RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import { z } from 'zod';
import type { Context } from '../core/context.js';
import { recordRejected } from './rejected-deliveries.js';
import {
  type Delivery,
  readDelivery,
  readWebhookEnvelope,
  readWebhookLabel,
  WEBHOOK_ENDPOINTS,
  type WebhookEndpoint,
  type WebhookEndpointName,
  type WebhookEnvelope,
} from './webhook-envelope.js';
import {
  type SignatureProblem,
  WEBHOOK_SIGNATURE_SCHEMES,
  webhookSignatureProblem,
} from './webhook-signature.js';
import { WEBHOOK_JOB } from './webhook-worker.js';

interface NamedEndpoint extends WebhookEndpoint {
  readonly name: WebhookEndpointName;
}

/** The reason of a rejection, as written in the webhook log. */
type Rejection = SignatureProblem | 'too_large' | 'incomplete' | 'content_type' | 'not_utf8' | 'not_an_event';

const ANSWERS: Readonly<Record<Rejection, ErrorCode>> = {
  no_secret: 'invalid_signature',
  no_signature: 'invalid_signature',
  malformed: 'invalid_signature',
  mismatch: 'invalid_signature',
  too_old: 'invalid_signature',
  too_new: 'invalid_signature',
  too_large: 'payload_too_large',
  incomplete: 'invalid_input',
  content_type: 'unsupported_media_type',
  not_utf8: 'invalid_input',
  not_an_event: 'invalid_input',
};

/** A delivery with a valid signature, as text, with its envelope. */
interface GenuineEvent {
  readonly text: string;
  readonly envelope: WebhookEnvelope;
}

const received = z.object({ status: z.literal(true), message: z.string() });

/** The receiver of a payment provider's events at one of its addresses. */
export function webhookReceiver(name: WebhookEndpointName): RawEndpoint<Context> {
  const endpoint = { name, ...WEBHOOK_ENDPOINTS[name] };
  const { provider } = endpoint;
  return {
    summary: `Events of ${provider}, signed`,
    about: {
      tag: 'webhooks',
      security: `${provider}Signature`,
      body: { types: ['application/json'], schema: z.looseObject({}) },
      answers: { 200: { description: 'It is stored', content: { 'application/json': received } } },
      refuses: [
        'invalid_signature',
        'invalid_input',
        'payload_too_large',
        'unsupported_media_type',
        'unavailable',
      ],
    },
    handle: (exchange) => receive(endpoint, exchange),
  };
}

/** Stores a genuine event before acknowledging it. Everything else is only logged. */
async function receive(
  endpoint: NamedEndpoint,
  { request, response, ctx }: RawExchange<Context>,
): Promise<void> {
  const delivery = await readDelivery(request);
  const event = await examine(endpoint, delivery, ctx);
  if (typeof event === 'string') {
    ctx.services.metrics.countWebhook(endpoint.name, event);
    await recordRejected(
      ctx,
      {
        ...readWebhookLabel(endpoint.provider, delivery),
        ...logged(endpoint, delivery, ctx),
        status: 'rejected',
        reason: event,
      },
      delivery.body,
    );
    ctx.services.log.security({
      event: 'webhook.rejected',
      requestId: ctx.call.requestId,
      address: ctx.call.address,
      reason: event,
    });
    if (!request.complete) response.setHeader('Connection', 'close');
    throw new AppError(ANSWERS[event], { detail: event });
  }
  await store(endpoint, delivery, event, ctx);
  sendJson(response, 200, { status: true, message: 'Received' });
}

async function examine(
  endpoint: NamedEndpoint,
  delivery: Delivery,
  { services, call }: Context,
): Promise<GenuineEvent | Rejection> {
  if (delivery.extent !== 'whole') return delivery.extent;
  const problem = await webhookSignatureProblem(endpoint.provider, {
    header: call.header(WEBHOOK_SIGNATURE_SCHEMES[endpoint.provider].header),
    body: delivery.body,
    secrets: endpoint.secrets(services.config),
    nowMs: services.now(),
  });
  if (problem !== undefined) return problem;
  if (mediaType(call.header('content-type')) !== 'application/json') return 'content_type';
  const text = asText(delivery.body);
  if (text === undefined) return 'not_utf8';
  const envelope = readWebhookEnvelope(endpoint.provider, text);
  return envelope === undefined ? 'not_an_event' : { text, envelope };
}

async function store(
  endpoint: NamedEndpoint,
  delivery: Delivery,
  { text, envelope }: GenuineEvent,
  ctx: Context,
): Promise<void> {
  const { services } = ctx;
  const row = {
    ...logged(endpoint, delivery, ctx),
    eventId: envelope.eventId,
    type: envelope.type,
    occurredAtMs: Math.floor(envelope.occurredAtUs / 1000),
  };
  const isNew = await services.billing.inbox.store({
    ...row,
    dedupeKey: dedupeKeyOf(endpoint, envelope),
    body: text,
    bodyEncoding: 'utf8',
    status: 'received',
    dueAtMs: row.receivedAtMs,
  });
  services.metrics.countWebhook(row.endpoint, isNew ? 'received' : 'duplicate');
  if (isNew) services.wakeups.wake(WEBHOOK_JOB);
  else await recordRejected(ctx, { ...row, status: 'ignored', reason: 'duplicate' }, Buffer.alloc(0));
}

/** A sandbox has its own ids, so its events never replace real ones. */
function dedupeKeyOf({ provider, isSandbox }: WebhookEndpoint, { eventId, isTest }: WebhookEnvelope): string {
  return `${provider}${isSandbox || isTest ? '-sandbox' : ''}:${eventId}`;
}

/** The fields logged for every delivery. */
function logged(
  endpoint: NamedEndpoint,
  { bytes, digest }: Delivery,
  { services, call }: Context,
): Pick<NewWebhook, 'provider' | 'endpoint' | 'bodyBytes' | 'digest' | 'address' | 'receivedAtMs'> {
  return {
    provider: endpoint.provider,
    endpoint: endpoint.name,
    bodyBytes: bytes,
    digest,
    address: networkOf(call.address),
    receivedAtMs: services.now(),
  };
}

function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function asText(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}
