import { cookieIn } from './cookie-names.js';
import type { CookieOptions, ServerCookies } from './server-cookies.js';

/** Other origins of the site's forms, besides the address of the request, for example behind a proxy that changes it. */
export interface OwnOrigins {
  readonly origins?: readonly string[];
}

/**
 * The cookies of a `Request`, and of the `Headers` of its answer: for React Router, Remix, Hono and other servers that speak
 * in them.
 * @throws {Error} if a page of another site sent the request to change something
 */
export function requestCookies(request: Request, headers: Headers, own: OwnOrigins = {}): ServerCookies {
  if (isForeignRequest(request, own)) throw new Error('A page of another site sent this request');
  return {
    get: (name) => cookieIn(request.headers.get('cookie') ?? '', name),
    set(name, value, options) {
      const others = headers.getSetCookie().filter((line) => !line.startsWith(`${name}=`));
      headers.delete('set-cookie');
      for (const line of [...others, serialize(name, value, options)]) headers.append('set-cookie', line);
    },
  };
}

/**
 * Whether a page of another site sent a request that may change something, such as a form: answer 403 then. Browsers say so by
 * `Sec-Fetch-Site`, older ones by `Origin`.
 */
export function isForeignRequest(
  { method, url, headers }: Pick<Request, 'method' | 'url' | 'headers'>,
  { origins = [] }: OwnOrigins = {},
): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false;
  const origin = headers.get('origin');
  if (origin !== null && origins.includes(origin)) return false;
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin';
  // Programs send neither header, and no cookie that a page could not have set.
  return origin !== null && (!URL.canParse(url) || origin === 'null' || origin !== new URL(url).origin);
}

function serialize(name: string, value: string, { maxAge, secure }: CookieOptions): string {
  const life = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  return `${name}=${value}${life}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}
