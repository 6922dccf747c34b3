import type { EventType, GatehouseEvent } from '@gatehouse/api-main/router';

export type { EventType, GatehouseEvent };

/** An event of some types. */
export type EventOf<Type extends EventType> = Extract<GatehouseEvent, { readonly type: Type }>;

/** A delivery that must not be trusted. */
export interface EventRefused extends Error {
  readonly name: 'EventRefused';
  /**
   * `missing_headers`: no delivery of Standard Webhooks. `too_old`: sent longer ago, or later, than the tolerance. `wrong_signature`:
   * signed with none of the secrets, or altered. `malformed_body`: signed, but no event.
   */
  readonly code: 'missing_headers' | 'too_old' | 'wrong_signature' | 'malformed_body';
}

/** Whether a thrown value says that a delivery must not be trusted. Answer 400 then. */
export function isEventRefused(error: unknown): error is EventRefused {
  // By name, because a program may have loaded this client both as ESM and as CommonJS.
  return error instanceof Error && error.name === 'EventRefused';
}

/** What arrived at an endpoint. */
export interface Delivery {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they arrived. What a framework has parsed cannot be verified. */
  readonly body: string | Uint8Array;
}

export interface VerifyEventOptions {
  /** The secret of the endpoint, `whsec_…`; during a rotation both. */
  readonly secret: string | readonly string[];
  /** How far the time of the attempt may be from the clock here, in seconds; 300 by default. */
  readonly toleranceSeconds?: number;
}

const PREFIX = 'whsec_';

/**
 * The event of a delivery to an endpoint, if the service signed it just now: HMAC-SHA256 of Standard Webhooks. An event can arrive
 * twice, with the same `id`.
 * @throws {Error} that `isEventRefused` recognizes
 */
export async function verifyEvent(
  { headers, body }: Delivery,
  { secret, toleranceSeconds = 300 }: VerifyEventOptions,
): Promise<GatehouseEvent> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('body must be the text or the bytes that arrived, not what a framework has parsed');
  const secrets = (typeof secret === 'string' ? [secret] : secret).map(keyBytes);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (id === undefined || signatures === undefined || !/^\d{1,15}$/.test(timestamp ?? ''))
    throw refused('missing_headers', 'This is no delivery of an event');
  // Also refused if the tolerance is not a number.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw refused('too_old', 'The time of this delivery is too far from the clock here');

  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const given = signatures.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []));
  if (!(await isSigned(signed, given, secrets)))
    throw refused('wrong_signature', 'No secret of this endpoint has signed this');

  const event = eventIn(typeof body === 'string' ? body : new TextDecoder().decode(body));
  if (event?.id !== id) throw refused('malformed_body', 'What was signed is no event');
  return event;
}

/** @throws {TypeError} for a text that is not the secret of an endpoint */
function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith(PREFIX) ? bytesIn(secret.slice(PREFIX.length)) : undefined;
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError('secret must be that of an endpoint, whsec_…');
  return bytes;
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secrets: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  for (const secret of secrets) {
    const key = await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures) {
      const bytes = bytesIn(signature);
      // It compares in constant time.
      if (bytes !== undefined && (await subtle.verify('HMAC', key, bytes, signed))) return true;
    }
  }
  return false;
}

function bytesIn(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function eventIn(text: string): GatehouseEvent | null {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the service made what it has signed
    return JSON.parse(text) as GatehouseEvent | null;
  } catch {
    return null;
  }
}

function headerOf(headers: Delivery['headers'], name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
}

/** By its method, because a server may have another class of this name. */
function isFetchHeaders(headers: Delivery['headers']): headers is Headers {
  return typeof headers.get === 'function';
}

function refused(code: EventRefused['code'], message: string): Error {
  return Object.assign(new Error(message), { name: 'EventRefused', code });
}
