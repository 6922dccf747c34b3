import { emailKey } from '@gatehouse/auth-core';

/** What `emailSchema` allows in no address. */
const OUTSIDE_ADDRESS = /[\s<>()[\]\\,;:"]+/;
const AT_ITS_ENDS = /^['.]+|['.]+$/g;
const ESCAPED = /\\u([0-9a-f]{4})/gi;

/** The fields of an event from which its effect is read, as far as they are text. */
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

/** What the integrator's server sends along; of it only the account counts. */
const OWN_DATA: ReadonlySet<string> = new Set(['metadata', 'custom_data']);

/** Whether a delivery names a member's address: as such or within a longer text, and no address that only contains it. */
export function holdsAddress(body: string, key: string): boolean {
  const plain = body.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return plain.split(OUTSIDE_ADDRESS).some((word) => {
    if (!word.includes('@') && !word.includes('＠')) return false;
    return emailKey(word) === key || emailKey(word.replace(AT_ITS_ENDS, '')) === key;
  });
}

/**
 * An event with what its effect needs and nothing that tells of a person, so that it can still be applied, or be applied
 * again. Empty for a body that is no event.
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
