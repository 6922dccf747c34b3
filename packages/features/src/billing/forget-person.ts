import { emailKey } from '@gatehouse/auth-core';

/** Characters that `emailSchema` allows in no address. */
const OUTSIDE_ADDRESS = /[\s<>()[\]\\,;:"]+/;
const AT_ITS_ENDS = /^['.]+|['.]+$/g;
const ESCAPED = /\\u([0-9a-f]{4})/gi;

/** The text fields of an event that are needed to apply it. */
const FIELDS_OF_EFFECT: ReadonlySet<string> = new Set([
  'id',
  'object',
  'type',
  'api_version',
  'event_id',
  'event_type',
  'occurred_at',
  'notification_id',
  'mode',
  'payment_status',
  'status',
  'origin',
  'action',
  'customer',
  'customer_id',
  'subscription',
  'subscription_id',
  'client_reference_id',
  'price',
  'plan',
  'started_at',
  'created_at',
  'starts_at',
  'ends_at',
  'effective_at',
]);

/** Data sent by the integrator's server; only its account is needed. */
const OWN_DATA: ReadonlySet<string> = new Set(['metadata', 'custom_data']);

/**
 * Whether a delivery contains a member's address, alone or within a longer text. A longer address that contains it is not a
 * match.
 */
export function holdsAddress(body: string, key: string): boolean {
  const plain = body.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return plain.split(OUTSIDE_ADDRESS).some((word) => {
    if (!word.includes('@') && !word.includes('＠')) return false;
    return emailKey(word) === key || emailKey(word.replace(AT_ITS_ENDS, '')) === key;
  });
}

/**
 * An event with only the fields that are needed to apply it, and no personal data, so that it can still be
 * applied or replayed. Empty for a body that is not an event.
 */
export function withoutPerson(body: string): string {
  const event = parsed(body);
  return event === undefined ? '' : JSON.stringify(event, keep);
}

function keep(key: string, value: unknown): unknown {
  if (key.includes('@')) return undefined;
  if (typeof value === 'string') return FIELDS_OF_EFFECT.has(key) && !value.includes('@') ? value : undefined;
  if (OWN_DATA.has(key) && typeof value === 'object' && value !== null) return accountIn(value);
  return value;
}

function accountIn(data: object): object {
  const isAccount = (key: string) => key.toLowerCase().replaceAll('_', '') === 'accountid';
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) => (isAccount(key) ? [[key, Number(value)]] : [])),
  );
}

function parsed(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
