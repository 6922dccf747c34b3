import { parseUrl } from '@gatehouse/auth-core';
import { mysqlConnectionOptions } from '@gatehouse/db/dialect/mysql/mysql-connection-options';
import { z } from 'zod';
import { createAddressReader } from '../network/client-address.js';
import { SECRET_PREFIX } from '../network/signature-headers.js';

/** A secret with a minimum number of bytes. */
export const secret = (minBytes: number) =>
  z
    .string({ error: 'is missing' })
    .refine((value) => Buffer.byteLength(value) >= minBytes, `must have at least ${minBytes} bytes`);

/** A secret that signs: `whsec_` and at least 24 bytes in base64 (Standard Webhooks), or any other text of 32 bytes. */
export const signingSecret = secret(32).refine(
  (value) =>
    !value.startsWith(SECRET_PREFIX) || /^[A-Za-z0-9+/]{32,}={0,2}$/.test(value.slice(SECRET_PREFIX.length)),
  'must be base64 after whsec_; use `openssl rand -base64 32`',
);

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

const ENCODING = 'a password with any of # / : ? @ % needs them percent-encoded, as %23';

/**
 * A host as browsers and name servers accept it. `new URL()` also accepts a wildcard, two addresses with a comma between them,
 * and an unfilled placeholder.
 */
const HOST = /^(?:\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*\.?)$/;

/** What an address may have in addition to its host. */
interface AddressParts {
  readonly path?: boolean;
  readonly query?: boolean;
}

/**
 * An http(s) address in the form in which `new URL()` writes it (WHATWG URL), without trailing slashes: however it was typed, it
 * is compared and sent in one form. A part that would be lost or shown is refused; no sentence has the value, which could hold a
 * password.
 */
const address = ({ path = false, query = false }: AddressParts) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be an http(s) URL') })
    .transform((value, context) => {
      const refuse = (message: string) => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      const url = /^\s*https?:\/\//i.test(value) ? parseUrl(value) : undefined;
      if (url === undefined) return refuse('must be an http(s) URL');
      const { origin, hostname, port, pathname, search, hash, username, password, href } = url;
      if (!HOST.test(hostname) || port === '0') return refuse('must have one host, such as api.example.com');
      if (username !== '' || password !== '') return refuse('must have no user and no password');
      if (hash !== '' || href.endsWith('#')) return refuse('must have no fragment (#)');
      if (!query && (search !== '' || href.endsWith('?'))) return refuse('must have no query (?)');
      // The endpoints of other systems are exact: some end in a slash.
      const shortened = pathname.replace(query ? /^\/$/ : /\/+$/, '');
      if (!path && shortened !== '')
        return refuse('must have no path: an origin such as https://api.example.com is meant');
      return `${origin}${shortened}${search}`;
    });

/** The address of a service that answers at the root of its host. */
export const origin = address({});

/** An address below which others lie, perhaps with a path. */
export const url = address({ path: true });

/** The address of one endpoint of another system, perhaps with a query. */
export const endpoint = address({ path: true, query: true });

/** The URL of a server that may need a password, in the form in which `new URL()` writes it. */
export const serverUrl = (protocols: readonly [string, string]) =>
  z.string().transform((value, context) => {
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const begins = protocols.map((each) => `${each}://`);
    if (!begins.some((each) => value.toLowerCase().startsWith(each)))
      return refuse(`must begin with ${begins.join(' or ')}`);
    if (!parseUrl(value)?.hostname) return refuse(`must be as ${begins[0]}user:password@host; ${ENCODING}`);
    if (value.includes('#')) return refuse(`must have no fragment (#); ${ENCODING}`);
    return withWrittenHost(value) ?? refuse('must name one host');
  });

/**
 * A URL of another scheme than http with its host as `new URL()` writes it for http: lower case, in ASCII (UTS 46).
 * Undefined if it is not one.
 */
function withWrittenHost(value: string): string | undefined {
  const url = new URL(value);
  try {
    url.hostname = new URL(`http://${decodeURIComponent(url.hostname)}`).hostname;
    return HOST.test(url.hostname) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

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
  })
  .transform((value, context) => {
    if (!value.startsWith('mysql://')) return value;
    const written = withWrittenHost(value);
    if (written !== undefined) return written;
    context.addIssue({ code: 'custom', message: 'must name one host' });
    return z.NEVER;
  });

function isServerUrl(value: string): boolean {
  const url = parseUrl(value);
  if (url === undefined || /%(?![0-9a-f]{2})/i.test(value)) return false;
  const { hostname, username, pathname, hash } = url;
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
