import type { Call, CookieKind, SessionCookieKind } from './http-call.js';
import type { HttpConfig } from './http-config.js';

/** Sessions that browsers keep in a cookie, which no script can read. */
export interface SessionCookies {
  /** The name of the session cookie. */
  readonly name: string;
  /** The value in a Cookie header; undefined without one. */
  read(kind: CookieKind, header: string | undefined): string | undefined;
  /** The session that applies in a Cookie header: that of an impersonation takes precedence over the user's own. */
  readSession(header: string | undefined): SentSession | undefined;
  /** The Set-Cookie line that stores a value. */
  keep(kind: CookieKind, value: string, maxAgeSeconds: number): string;
  /** The Set-Cookie line that removes it. */
  forget(kind: CookieKind): string;
  /** Whether a client wants its session in a cookie. */
  isAsked(call: Pick<Call, 'header'>): boolean;
  /**
   * Whether a request was sent by a script of a page that may use the cookie: a foreign form, link or image cannot set the
   * header, and for foreign pages browsers send another origin (Fetch Metadata, RFC 6454). Browsers without Fetch Metadata send
   * no origin with a GET to their own, and then the header alone proves the page: CORS lets no foreign page send it.
   */
  isProven(call: Pick<Call, 'header' | 'method'>): boolean;
}

interface SentSession {
  readonly kind: SessionCookieKind;
  readonly token: string;
}

type CookieConfig = Pick<HttpConfig, 'NODE_ENV' | 'BASE_URL' | 'COOKIE_ORIGINS'>;

/** The header by which a client asks for cookie mode. */
export const CLIENT_HEADER = 'X-Gatehouse-Client';

/**
 * The cookies of one deployment. Cookies ignore ports, so each deployment has names of its own. The `__Host-` prefix (RFC
 * 6265bis) prevents neighboring hosts from setting them; only development without TLS does without.
 */
export function createSessionCookies(config: CookieConfig, application: string): SessionCookies {
  const { NODE_ENV, BASE_URL, COOKIE_ORIGINS } = config;
  const isSecure = NODE_ENV === 'production' || BASE_URL.startsWith('https:');
  const deployment = application === 'admin' ? '-admin' : '';
  const base = isSecure ? `__Host-gatehouse${deployment}` : `gatehouse-dev${deployment}`;
  const names = {
    session: base,
    acting: `${base}-acting`,
    step: `${base}-step`,
    account: `${base}-account`,
  };
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const origins = new Set([new URL(BASE_URL).origin, ...COOKIE_ORIGINS]);
  const isAsked: SessionCookies['isAsked'] = (call) => call.header('x-gatehouse-client') === 'cookie';
  const read: SessionCookies['read'] = (kind, header) =>
    header === undefined ? undefined : valueIn(header, names[kind]);
  function sessionIn(header: string): SentSession | undefined {
    for (const kind of ['acting', 'session'] as const) {
      const token = valueIn(header, names[kind]);
      if (token !== undefined) return { kind, token };
    }
    return undefined;
  }
  // A request is admitted and then guarded, mostly without another one in between.
  let last: { readonly header?: string; readonly session?: SentSession | undefined } = {};
  return {
    name: base,
    read,
    readSession(header) {
      if (header === undefined) return undefined;
      if (last.header !== header) last = { header, session: sessionIn(header) };
      return last.session;
    },
    keep: (kind, value, maxAgeSeconds) =>
      `${names[kind]}=${value}; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}; ${attributes}`,
    forget: (kind) => `${names[kind]}=; Max-Age=0; ${attributes}`,
    isAsked,
    isProven(call) {
      if (!isAsked(call)) return false;
      const site = call.header('sec-fetch-site');
      const origin = call.header('origin');
      if (site === undefined && origin === undefined) return call.method === 'GET' || call.method === 'HEAD';
      return site === 'same-origin' || origins.has(origin ?? '');
    },
  };
}

function valueIn(header: string, name: string): string | undefined {
  for (let at = header.indexOf(name); at !== -1; at = header.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (header[end] !== '=' || !beginsAt(header, at)) continue;
    const until = header.indexOf(';', end);
    const value = header.slice(end + 1, until === -1 ? undefined : until).trim();
    return value === '' ? undefined : value;
  }
  return undefined;
}

/** Whether a cookie begins there: at the start, or after a semicolon and blanks (RFC 6265, section 4.2.1). */
function beginsAt(header: string, at: number): boolean {
  let before = at - 1;
  while (header[before] === ' ' || header[before] === '\t') before--;
  return before === -1 || header[before] === ';';
}
