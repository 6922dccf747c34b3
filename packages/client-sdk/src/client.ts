import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { callerLink } from './caller-link.js';
import type { ClientOptions } from './client-options.js';
import type { ClientTypes } from './client-types.js';
import { isGatehouseError } from './errors.js';
import { memoryStore } from './memory-store.js';
import { callOptionsIn, perCall } from './per-call.js';
import { retryLink } from './retry-link.js';
import { createSession, type Session, type SessionChange } from './session.js';

/** A credential to sign in with: a password, or the one-use token of a social or partner sign-in. */
export type Credentials =
  | { email: string; password: string }
  | { sid: string; password: string }
  | { social: true; token: string }
  | { tempLogin: true; token: string; email?: string };

/** The procedures a session needs from a deployment. */
export interface SessionApi {
  readonly login: {
    readonly web: {
      mutate(credentials: Credentials, options: object): Promise<SignedIn & { token: string }>;
    };
  };
  readonly session: { readonly end: { mutate(input: undefined, options: object): Promise<unknown> } };
}

export interface SignedIn {
  userId: number;
  role: number;
  /** The lowest account the member may act in; `withAccount` selects it. */
  accountId: number | null;
}

export interface GatehouseClient<Api> {
  /** Every procedure of the service, exactly typed. */
  readonly api: Api;
  /** The base address of the service, without a trailing slash. */
  readonly url: string;
  /** The session token of this client, null when nobody is signed in. */
  readonly token: string | null;
  /** Signs in and keeps the token for later calls. */
  signIn(credentials: Credentials, options?: { signal?: AbortSignal }): Promise<SignedIn>;
  /** Stores a token from another procedure, such as a registration. */
  adoptToken(token: string): void;
  /**
   * Removes the token at once and ends the session at the service. Rejects if the service could not be
   * reached.
   */
  signOut(): Promise<void>;
  /** Calls the listener on every sign-in and sign-out, here or in another tab. Returns a function that stops it. */
  subscribe(listener: (change: SessionChange) => void): () => void;
  /** The same session, acting in one account; null acts in none. */
  withAccount(accountId: number | null): GatehouseClient<Api>;
}

/** At most three tries, at most ten seconds apart. */
const RETRY = { tries: 3, longestWaitMs: 10_000 };

/** A client over the procedures made by `connect`. It has the token and the account. */
export function createClient<Api extends SessionApi>(
  connect: (links: TRPCLink<ClientTypes>[]) => Api,
  options: ClientOptions,
): GatehouseClient<Api> {
  const session = createSession(options.store ?? memoryStore());
  const links = [
    ...(options.retry === false ? [] : [retryLink({ ...RETRY, ...options.retry })]),
    callerLink(options, session),
  ];
  const url = options.url.replace(/\/+$/, '');
  return acting((accountId) => connect([inAccount(accountId), ...links]), { session, url }, null);
}

function acting<Api extends SessionApi>(
  connectAs: (accountId: number | null) => Api,
  shared: { session: Session; url: string },
  accountId: number | null,
): GatehouseClient<Api> {
  const { session, url } = shared;
  const api = connectAs(accountId);
  return {
    api,
    url,
    get token() {
      return session.token;
    },
    async signIn(credentials, options = {}) {
      // A repeated login only creates another session. A one-use token works once, so it is not repeated.
      const isRepeatable = 'password' in credentials;
      const { token, ...signedIn } = await api.login.web.mutate(
        credentials,
        perCall({ ...options, token: null, isRepeatable }),
      );
      session.set(token, 'signedIn');
      return signedIn;
    },
    adoptToken(token) {
      session.set(token, 'signedIn');
    },
    async signOut() {
      const { token } = session;
      if (token === null) return;
      session.set(null, 'signedOut');
      try {
        await api.session.end.mutate(undefined, perCall({ token, isRepeatable: true }));
      } catch (error) {
        if (!isGatehouseError(error, 'unauthorized')) throw error;
      }
    },
    subscribe: session.subscribe,
    withAccount: (next) => acting(connectAs, shared, next),
  };
}

/** The account of calls that do not name one. */
function inAccount(accountId: number | null): TRPCLink<ClientTypes> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next({
          ...op,
          context: { ...op.context, gatehouse: { accountId, ...callOptionsIn(op.context) } },
        }).subscribe(observer),
      );
}
