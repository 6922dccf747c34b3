import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { abortLink } from './abort-link.js';
import { callerLink } from './caller-link.js';
import type { ClientOptions } from './client-options.js';
import type { ClientTypes } from './client-types.js';
import { isGatehouseError, type SecondFactorRequired } from './errors.js';
import { isServer } from './page-window.js';
import { callOptionsIn, perCall } from './per-call.js';
import { refreshLink } from './refresh-link.js';
import { retryLink } from './retry-link.js';
import { createSession, type KeptSession, type Session, type SessionChange } from './session.js';
import type { TokenStore } from './token-stores.js';
import { localStore, memoryStore, noStore } from './token-stores.js';
import type { StepProof } from './verification.js';
import { verificationLink } from './verification-link.js';

/**
 * A credential to sign in with: a password, with `withoutSso` where an owner may sign in without the identity provider that their
 * account requires, the flow of `signIn.requestEmail` with the code or the token of its mail, or the
 * one-use token of a social or partner sign-in.
 */
export type Credentials =
  | { email: string; password: string; withoutSso?: boolean }
  | { sid: string; password: string; withoutSso?: boolean }
  | { flow: string; code: string }
  | { flow: string; token: string }
  | { social: true; token: string }
  | { tempLogin: true; token: string; email?: string };

/** The procedures a session needs from a deployment. */
export interface SessionApi {
  readonly signIn: {
    readonly password: {
      mutate(
        input: { email?: string; sid?: string; password: string; withoutSso?: boolean },
        options: object,
      ): Promise<Answer>;
    };
    readonly token: { mutate(input: { token: string; email?: string }, options: object): Promise<Answer> };
    /** The main service has it. */
    readonly email?: {
      mutate(input: { flow: string; code?: string; token?: string }, options: object): Promise<Answer>;
    };
    readonly step: { mutate(input: StepInput, options: object): Promise<Answer> };
  };
  readonly session: {
    readonly end: { mutate(input: undefined, options: object): Promise<SignedOut> };
    readonly refresh: { mutate(input: undefined, options: object): Promise<unknown> };
  };
}

/** What remains to be done once a session has ended. */
export interface SignedOut {
  /** Where the browser also signs out of the identity provider that began the session; absent if none did. */
  readonly logoutUrl?: string | undefined;
}

/** A challenge and one proof. */
interface StepInput
  extends Partial<Record<'code' | 'backupCode' | 'emailCode' | 'flow' | 'ticket', string | undefined>> {
  challenge: string;
  response?: unknown;
}

interface Answer {
  data: SignedInSession & { token?: string | undefined };
}

export interface SignedIn {
  userId: number;
  role: number;
  /** The lowest account the member may act in; `withAccount` selects it. */
  accountId: number | null;
}

/** A session as its sign-in answers. */
export interface SignedInSession extends SignedIn {
  /** When the session ends unless it is refreshed, as an ISO 8601 instant. */
  expiresAt: string;
  isPersonnel: boolean;
  /** 1 by a password or a mailed code, 2 with a code of an app or a backup code, 3 with a passkey. */
  level: number;
  /** How it was authenticated: `pwd`, `totp` and others. */
  methods: string[];
  /** What the session needs before it may be used; null if nothing. */
  requires: { level: number; by: 'staff' | 'account' } | null;
  /** What to ask the member for. */
  prompts: ('changePassword' | 'addPasskey' | 'newBackupCodes')[];
}

export interface GatehouseClient<Api> {
  /** Every procedure of the service, exactly typed. */
  readonly api: Api;
  /** The base address of the service, without a trailing slash. */
  readonly url: string;
  /** The session token of this client; null when nobody is signed in, and in cookie mode. */
  readonly token: string | null;
  /** Whether a member is signed in, as far as this client knows. */
  readonly isSignedIn: boolean;
  /** Where the session is: in a token of this client, or in a cookie of the browser. */
  readonly session: 'token' | 'cookie';
  /**
   * Signs in and keeps the session for later calls.
   * @throws {SecondFactorRequired} where a second step is due; `continueSignIn` takes it
   */
  signIn(credentials: Credentials, options?: { signal?: AbortSignal }): Promise<SignedInSession>;
  /** Takes the second step of a sign-in: what `signIn` threw, or its challenge, and a code. */
  continueSignIn(
    challenge: SecondFactorRequired | string,
    proof: StepProof,
    options?: { signal?: AbortSignal },
  ): Promise<SignedInSession>;
  /** Stores a token from another procedure, such as a registration. */
  adoptToken(token: string): void;
  /** Keeps the session that a procedure of `signIn` returned: its token or, in cookie mode, when it ends. */
  adoptSession(session: KeptSession): void;
  /**
   * Ends the session at the service, and then removes it here.
   * @returns where to redirect the page, if an identity provider began the session
   * @throws {Error} if the service could not be reached, as `isUnavailable` tells: the session stays, and the sign-out can be
   * repeated
   */
  signOut(): Promise<SignedOut>;
  /**
   * Whether somebody is signed in. In cookie mode the browser may have a session that the store does not know, such as one that a
   * server began: then the service is asked, and listeners are notified of a session that it finds.
   * @throws {Error} if the service could not be asked
   */
  findSession(): Promise<boolean>;
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
  given: ClientOptions,
): GatehouseClient<Api> {
  const url = given.url.replace(/\/+$/, '');
  const options = { ...given, url };
  const session = createSession(storeOf(options), options.session === 'cookie');

  async function endSession(): Promise<SignedOut> {
    const { token, signIn } = session;
    if (!session.isInCookie && token === null) return {};
    const how = perCall({ ...(token === null ? {} : { token }), isRepeatable: true });
    const ended = await client.api.session.end.mutate(undefined, how).catch(unlessUnauthorized);
    session.end(signIn);
    return { logoutUrl: ended?.logoutUrl };
  }

  const links = [
    abortLink,
    ...(options.onVerification === undefined ? [] : [verificationLink(options.onVerification)]),
    refreshLink(session, { url, isAutomatic: options.refresh !== false }),
    ...(options.retry === false ? [] : [retryLink({ ...RETRY, ...options.retry })]),
    callerLink(options, session),
  ];
  const shared = { session, endSession, url };
  const client = acting((accountId) => connect([beginLink(session, accountId), ...links]), shared, null);
  return client;
}

function unlessUnauthorized(error: unknown): undefined {
  if (!isGatehouseError(error, 'unauthorized')) throw error;
}

/** On a server there is a store only if the caller names one that is not a browser's. */
function storeOf({ store, session, url }: ClientOptions): TokenStore | undefined {
  if (store === noStore) return undefined;
  if (store !== undefined) return store;
  if (isServer()) return undefined;
  return session === 'cookie' ? localStore(`gatehouse.session ${url}`) : memoryStore();
}

function acting<Api extends SessionApi>(
  connectAs: (accountId: number | null) => Api,
  shared: { session: Session; endSession: () => Promise<SignedOut>; url: string },
  accountId: number | null,
): GatehouseClient<Api> {
  const { session, endSession, url } = shared;
  const api = connectAs(accountId);

  function begin(credentials: Credentials, how: object): Promise<Answer> {
    if ('password' in credentials) return api.signIn.password.mutate(credentials, how);
    if ('flow' in credentials) {
      const { email } = api.signIn;
      if (email === undefined) throw new Error('Only the main service signs in by mail');
      return email.mutate(credentials, how);
    }
    const { token } = credentials;
    const email = 'email' in credentials ? credentials.email : undefined;
    return api.signIn.token.mutate({ token, ...(email === undefined ? {} : { email }) }, how);
  }

  function keep({ data }: Answer): SignedInSession {
    session.begin(data);
    const { token: _token, ...signedIn } = data;
    return signedIn;
  }

  return {
    api,
    url,
    get token() {
      return session.token;
    },
    get isSignedIn() {
      return session.held !== null;
    },
    session: session.isInCookie ? 'cookie' : 'token',
    async findSession() {
      if (session.isInCookie && session.held === null) {
        try {
          await api.session.refresh.mutate(undefined, perCall({ isRepeatable: true }));
        } catch (error) {
          if (session.held === null) {
            // There is a session, but its level is too low: `session.me` says what it lacks.
            if (isGatehouseError(error, 'enrolment_required', 'verification_required')) return true;
            unlessUnauthorized(error);
          }
        }
      }
      return session.held !== null;
    },
    async signIn(credentials, options = {}) {
      // A repeated login only creates another session. A one-use token works once, so it is not repeated.
      const isRepeatable = 'password' in credentials;
      session.requireStore();
      const how = perCall({ ...options, token: null, isRepeatable });
      return keep(await begin(credentials, how));
    },
    async continueSignIn(challenge, proof, options = {}) {
      session.requireStore();
      const input = {
        challenge: typeof challenge === 'string' ? challenge : challenge.data.challenge,
        ...proof,
      };
      return keep(await api.signIn.step.mutate(input, perCall({ ...options, token: null })));
    },
    adoptToken(token) {
      session.begin({ token });
    },
    adoptSession: session.begin,
    signOut: endSession,
    subscribe: session.subscribe,
    withAccount: (next) => acting(connectAs, shared, next),
  };
}

/** Adds to calls the sign-in they begin in, and the account if they name none. */
function beginLink(session: Session, accountId: number | null): TRPCLink<ClientTypes> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const gatehouse = { accountId, ...callOptionsIn(op.context), signIn: session.signIn };
        return next({ ...op, context: { ...op.context, gatehouse } }).subscribe(observer);
      });
}
