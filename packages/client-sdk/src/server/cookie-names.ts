/** Which service a cookie is of. */
export type Deployment = '' | '-admin';

export interface CookieNames {
  readonly session: string;
  /** The session in which staff act for a member. It hides the browser's own. */
  readonly acting: string;
  /** The account that calls act in. */
  readonly account: string;
  /** The challenge of a sign-in that waits for its second step. */
  readonly challenge: string;
}

/**
 * The names of the cookies, as the service gives them in cookie mode. The `__Host-` prefix (RFC 6265bis) prevents neighbouring
 * hosts from setting them; development without TLS does without.
 */
export function cookieNames(secure: boolean, deployment: Deployment): CookieNames {
  const session = `${secure ? '__Host-gatehouse' : 'gatehouse-dev'}${deployment}`;
  return {
    session,
    acting: `${session}-acting`,
    account: `${session}-account`,
    challenge: `${session}-challenge`,
  };
}

/** Whether cookies need TLS unless an option says otherwise. */
export function needsTls(): boolean {
  const server: { process?: { env?: Record<string, string | undefined> } } = globalThis;
  return server.process?.env?.['NODE_ENV'] !== 'development';
}

/** The value in a Cookie header; undefined without one. */
export function cookieIn(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
