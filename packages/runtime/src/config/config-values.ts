import { mysqlConnectionOptions } from '@gatehouse/db';
import { z } from 'zod';
import { createAddressReader } from '../network/client-address.js';

/** A secret with a minimum number of bytes. */
export const secret = (minBytes: number) =>
  z
    .string({ error: 'is missing' })
    .refine((value) => Buffer.byteLength(value) >= minBytes, `must have at least ${minBytes} bytes`);

export const port = z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65535);

/** Whether the proxies are addresses or ranges that can be compared. */
export function isAddressReadable(proxies: readonly string[]): boolean {
  try {
    createAddressReader(proxies);
    return true;
  } catch {
    return false;
  }
}

/** A time in milliseconds between two bounds, inclusive. */
export const milliseconds = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** A URL without trailing slashes. */
export const url = z
  .url({
    protocol: /^https?$/,
    error: ({ input }) => (input === undefined ? 'is missing' : 'must be an http(s) URL'),
  })
  .transform((value) => value.replace(/\/+$/, ''));

const ENCODING = 'a password with any of # / : ? @ % needs them percent-encoded, as %23';

/**
 * `file:` and a path, or `mysql://user:password@host:port/name`. An unencoded password can shift the parts of
 * the URL, and so appear in a part that is shown.
 */
export const databaseUrl = z
  .string()
  .regex(/^(file:.|mysql:\/\/)/, 'must begin with file: or mysql://')
  .refine((value) => !value.startsWith('mysql://') || isServerUrl(value), {
    error: `must be as mysql://user:password@host:3306/name; ${ENCODING}`,
    abort: true,
  })
  .superRefine((value, context) => {
    if (!value.startsWith('mysql://')) return;
    try {
      mysqlConnectionOptions(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    }
  });

function isServerUrl(value: string): boolean {
  if (!URL.canParse(value) || /%(?![0-9a-f]{2})/i.test(value)) return false;
  const { hostname, username, pathname, hash } = new URL(value);
  return hostname !== '' && username !== '' && hash === '' && /^\/[^/@:]+$/.test(pathname);
}

/** Entries separated by commas; none if the variable is unset. */
export const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );

export const role = z.coerce.number({ error: 'must be a role number' }).int().min(0);

/** A key of AES-256 in base64. */
export const dataKey = z
  .string({ error: 'is missing' })
  .refine(
    (value) => Buffer.from(value, 'base64').length === 32,
    'must be 32 bytes in base64; use `openssl rand -base64 32`',
  );

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_557_600 };

/** A duration such as `7d`, `12h`, `3600` (seconds) or `3600s`: the common forms of jsonwebtoken's `expiresIn`. */
export const duration = z.string().transform((value, context) => {
  const match = /^\s*(\d{1,9})\s*(s|m|h|d|w|y)?\s*$/i.exec(value);
  const seconds = match ? Number(match[1]) * (UNITS[(match[2] ?? 's').toLowerCase()] ?? 1) : 0;
  if (seconds < 60 || seconds > 366 * 86_400) {
    context.addIssue({ code: 'custom', message: 'must be a life between 60s and 1y, such as 7d' });
    return z.NEVER;
  }
  return seconds;
});

/** Application names, each with its kind. */
export const apptypeMap = z
  .string()
  .default('')
  .transform((value, context) => {
    const map = new Map<string, 'web' | 'mobile' | 'designer' | 'admin'>();
    for (const entry of value.split(',').map((part) => part.trim())) {
      if (entry === '') continue;
      const [name, target] = entry.split('=').map((part) => part.trim());
      const parsed = z.enum(['web', 'mobile', 'designer', 'admin']).safeParse(target);
      if (!name || !parsed.success) {
        context.addIssue({ code: 'custom', message: 'must be pairs such as kiosk=web,studio=designer' });
        return z.NEVER;
      }
      map.set(name, parsed.data);
    }
    return map;
  });
