import { randomId } from '@gatehouse/auth-core';
import type { EndpointRow } from '@gatehouse/db/queries/event-endpoints';
import type { EventRow } from '@gatehouse/db/queries/events';
import type { DeliveryAttempt } from '@gatehouse/db/tables/event-tables';
import type { Reach } from '@gatehouse/runtime/network/guarded-client';
import { signatureHeaders } from '@gatehouse/runtime/network/signature-headers';
import type { Services } from '../core/context.js';
import { EVENT_TYPES } from '../event/event-types.js';
import { toEventView } from '../event/read-feed.js';
import { isDeployment } from './endpoint-scope.js';
import { openEndpointSecrets } from './endpoint-secrets.js';

/** An attempt, and when the receiver wants the next one at the earliest. */
export interface Sent extends DeliveryAttempt {
  readonly retryAfterMs: number | undefined;
}

/** Where calls to the endpoints of a scope may go: private networks are for the deployment's. */
export const reachOf = (endpoint: Pick<EndpointRow, 'scope'>): Reach =>
  isDeployment(endpoint) ? 'private' : 'public';

export const isSuccess = ({ status }: Pick<DeliveryAttempt, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

/** How much of an answer is kept. */
const MAX_ANSWER_CHARACTERS = 256;

/** A `Retry-After` up to this long is obeyed. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** Sends one signed event to an endpoint. */
export async function sendEvent(
  services: Pick<Services, 'cipher' | 'now' | 'outbound'>,
  endpoint: EndpointRow,
  event: EventRow,
): Promise<Sent> {
  const body = JSON.stringify(toEventView(event, isDeployment(endpoint)));
  const atMs = services.now();
  const secrets = openEndpointSecrets(services, endpoint, atMs);
  const unanswered = { atMs, status: null, answer: '', retryAfterMs: undefined };
  if (secrets.length === 0) return { ...unanswered, ms: 0, error: 'secret_unreadable' };
  const startedAtMs = performance.now();
  const answer = await services.outbound.post(endpoint.url, {
    reach: reachOf(endpoint),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Gatehouse',
      ...signatureHeaders(secrets, { id: event.publicId, body, nowMs: atMs }),
    },
    body,
  });
  const ms = Math.round(performance.now() - startedAtMs);
  if ('failure' in answer) return { ...unanswered, ms, error: answer.failure };
  return {
    atMs,
    ms,
    status: answer.status,
    error: null,
    answer: printable(answer.body),
    retryAfterMs: readRetryAfter(answer.headers['retry-after'], atMs),
  };
}

function printable(body: Buffer): string {
  return body
    .toString('latin1')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .slice(0, MAX_ANSWER_CHARACTERS);
}

/** The wait that a `Retry-After` asks for, in milliseconds: seconds, or a date. Undefined for one that is not obeyed. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return waitMs > 0 && waitMs <= MAX_RETRY_AFTER_MS ? waitMs : undefined;
}

/** Sends an event that is in no feed, which shows whether an endpoint answers. */
export async function pingEndpoint(
  services: Pick<Services, 'cipher' | 'now' | 'outbound'>,
  endpoint: EndpointRow,
): Promise<Sent> {
  return sendEvent(services, endpoint, {
    publicId: `evt_${randomId()}`,
    position: 0,
    type: 'endpoint.ping',
    version: EVENT_TYPES['endpoint.ping'].version,
    atMs: services.now(),
    subjectKind: 'endpoint',
    subjectId: endpoint.id,
    subjectVersion: endpoint.eventVersion,
    accountId: endpoint.accountId,
    actorKind: 'system',
    actorId: null,
    data: { endpointId: endpoint.id, name: endpoint.description },
  });
}
