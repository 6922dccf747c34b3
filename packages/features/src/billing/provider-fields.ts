import { z } from 'zod';

/** A provider's id: printable ASCII, which all databases compare in the same way. */
export const providerId = z.string().regex(/^[\x21-\x7e]{1,255}$/);

/** The id in a field that a provider may send as a whole object. */
export const expandableId = z.union([providerId, z.object({ id: providerId }).transform(({ id }) => id)]);

/** Events after the year 2200 are refused, so that microseconds stay safe integers. */
const LATEST_SECONDS = 7_258_118_400;

const unixSeconds = z.number().int().min(0).max(LATEST_SECONDS);

/** Seconds since 1970, as microseconds. */
export const unixMicroseconds = unixSeconds.transform((seconds) => seconds * 1_000_000);

/** Seconds since 1970, as milliseconds. */
export const unixMilliseconds = unixSeconds.transform((seconds) => seconds * 1000);

const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** An RFC 3339 instant, as microseconds since 1970. */
export const isoMicroseconds = z.string().transform((text, context) => {
  const [, second, fraction = '', zone] = ISO.exec(text) ?? [];
  const wholeMs = Date.parse(`${second}${zone}`);
  if (Number.isNaN(wholeMs) || wholeMs < 0 || wholeMs > LATEST_SECONDS * 1000) {
    context.addIssue({ code: 'custom', message: 'must be an RFC 3339 instant' });
    return z.NEVER;
  }
  return wholeMs * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
});

/** An RFC 3339 instant, as milliseconds since 1970. */
export const isoMilliseconds = isoMicroseconds.transform((microseconds) => Math.floor(microseconds / 1000));

/** Text for people: characters that cannot be stored or shown on one line are replaced, and the end is cut. */
export const displayText = z
  .string()
  .transform((text) => text.slice(0, 255).replace(/[\p{Cc}\p{Cs}]/gu, '\u{FFFD}'));

/**
 * The account in the integrator's own data (`accountId`, in any case and with underscores): a positive whole
 * number or its digits. Undefined without one.
 */
export const accountIdInData = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((data) => {
    const entry = Object.entries(data ?? {}).find(
      ([key]) => key.toLowerCase().replaceAll('_', '') === 'accountid',
    );
    return accountIdFrom(entry?.[1]);
  });

/** An account id written as a number or as digits; undefined for anything else. */
export function accountIdFrom(value: unknown): number | undefined {
  const isDigits = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value);
  const id = isDigits ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
