import { cookieNames, type Deployment } from './cookie-names.js';

/** How a cookie is set. */
export interface CookieOptions {
  readonly path: '/';
  readonly httpOnly: true;
  readonly sameSite: 'lax';
  readonly secure: boolean;
  /** In seconds; 0 removes the cookie. */
  readonly maxAge?: number;
}

/**
 * The cookies of one request and its answer: what `await cookies()` of Next.js gives, `event.cookies` of SvelteKit, or
 * `requestCookies` elsewhere. Without `set`, or where it throws, nobody can sign in or out.
 */
export interface ServerCookies {
  get(name: string): string | { readonly value: string } | null | undefined;
  set?(name: string, value: string, options: CookieOptions): unknown;
}

/** The cookies of a client, by the names that the service gives them in cookie mode, so that both can share one session. */
export interface ClientCookies {
  /** The cookie of the session in which staff act for a member, if there is one. It hides the browser's own session. */
  readonly session: Cookie;
  /** Lets the next session replace both. Returns their tokens, which no cookie has any more. */
  replaceSessions(): readonly string[];
  /** Whether staff act for a member in the session. */
  readonly isActing: boolean;
  /** The challenge of a sign-in that waits for its second step. */
  readonly challenge: Cookie;
  /** The account that calls act in. */
  readonly account: Cookie;
}

export interface Cookie {
  read(): string | null;
  /** @throws {Error} where no cookie can be set */
  write(value: string | null, maxAgeSeconds?: number): void;
}

function valueIn(cookies: ServerCookies, name: string): string | null {
  const found = cookies.get(name);
  const value = typeof found === 'string' ? found : found?.value;
  return value === undefined || value === '' ? null : value;
}

let hasWarned = false;

/** Says once that the session may be in the cookie of the other environment. */
function warnOfOther(cookies: ServerCookies, base: string, other: string): void {
  if (hasWarned || valueIn(cookies, other) === null) return;
  hasWarned = true;
  // biome-ignore lint/suspicious/noConsole: developers read a server's log, and no call fails that could say it
  console.warn(
    `Gatehouse: no session in the cookie ${base}, but there is a cookie ${other}. If that is the session, the service and this server disagree whether cookies need TLS: run both with the same NODE_ENV, or set \`secure\` of createServerClient.`,
  );
}

export function clientCookies(
  cookies: ServerCookies,
  secure: boolean,
  deployment: Deployment,
): ClientCookies {
  const names = cookieNames(secure, deployment);
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;

  function cookie(name: string): Cookie {
    // A cookie that was set is read back immediately, also where `get` reads the request alone.
    let own: string | null | undefined;
    return {
      read() {
        return own === undefined ? valueIn(cookies, name) : own;
      },
      write(value, maxAgeSeconds) {
        const maxAge = value === null ? 0 : maxAgeSeconds;
        const options = maxAge === undefined ? attributes : { ...attributes, maxAge };
        try {
          if (cookies.set === undefined) throw new TypeError('There is no `set`');
          cookies.set(name, value ?? '', options);
        } catch (cause) {
          throw new Error(
            'No cookie can be set here: sign in, refresh and sign out in a server action, a form action, a route handler or a middleware, not while rendering',
            { cause },
          );
        }
        own = value;
      },
    };
  }

  const own = cookie(names.session);
  const acting = cookie(names.acting);
  // Decided once per request: after an impersonation ends, the answer still does not belong to the browser's own session.
  let current: Cookie | undefined;
  const session = () => {
    current ??= acting.read() === null ? own : acting;
    return current;
  };
  return {
    session: {
      write(value, maxAgeSeconds) {
        session().write(value, maxAgeSeconds);
      },
      read() {
        const token = session().read();
        if (token === null) warnOfOther(cookies, names.session, cookieNames(!secure, deployment).session);
        return token;
      },
    },
    get isActing() {
      return session() === acting;
    },
    replaceSessions() {
      const replaced = [acting.read(), own.read()].filter((token) => token !== null);
      if (acting.read() !== null) acting.write(null);
      current = own;
      return replaced;
    },
    challenge: cookie(names.challenge),
    account: cookie(names.account),
  };
}
