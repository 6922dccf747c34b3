import { type AdminApi, createAdminClient } from '../admin.js';
import type { Credentials, GatehouseClient, SessionApi, SignedInSession, SignedOut } from '../client.js';
import type { ClientOptions } from '../client-options.js';
import { isGatehouseError, isSecondFactorRequired } from '../errors.js';
import { createMainClient, type MainApi } from '../main.js';
import { isServer } from '../page-window.js';
import { perCall } from '../per-call.js';
import type { KeptSession } from '../session.js';
import { type TokenLife, tokenLife } from '../token-life.js';
import type { StepProof } from '../verification.js';
import { type Deployment, needsTls } from './cookie-names.js';
import { keepStep, type PendingStep, readStep } from './pending-step.js';
import { type Cookie, clientCookies, type ServerCookies } from './server-cookies.js';

export interface ServerClientOptions
  extends Pick<ClientOptions, 'url' | 'tokenHeader' | 'application' | 'retry' | 'fetch'> {
  /** The cookies of this request. */
  cookies: ServerCookies;
  /**
   * The visitor's address, by which the service counts and remembers instead of by this server's: without it all visitors share
   * the limits of one address, and one who guesses passwords locks everybody out. Pass one address, or the `X-Forwarded-For` that
   * your own proxy wrote; its last address outside the service's TRUSTED_PROXIES is used. The service ignores it unless this
   * server is in its TRUSTED_PROXIES.
   */
  visitor?: { readonly address?: string | null; readonly userAgent?: string | null };
  /**
   * How long the service may take for each try of a call, in milliseconds; 10,000 by default, Infinity for no limit.
   * After that the call fails, although its change may have been made.
   */
  timeoutMs?: number;
  /** Whether cookies require TLS, and have the names of such cookies; true by default, except where NODE_ENV is `development`. */
  secure?: boolean;
}

/** The client of one visitor, for one request. */
export interface RequestClient<Api> {
  /** Every procedure of the service, exactly typed, acting in the selected account. */
  readonly api: Api;
  /** The base address of the service, without a trailing slash. */
  readonly url: string;
  /** Whether the visitor has a session, as far as their cookie says. The service knows: `api.session.me` fails without one. */
  readonly isSignedIn: boolean;
  /** The account that calls act in; null for none. A sign-in selects the first of the member. */
  readonly accountId: number | null;
  /** The sign-in of this browser that waits for its second step; null if none does. */
  readonly step: PendingStep | null;
  /**
   * Signs in and sets the cookie.
   * @throws {SecondFactorRequired} where a second step is due: `step` has it in later requests too, `continueSignIn` takes it
   */
  signIn(credentials: Credentials, options?: { signal?: AbortSignal }): Promise<SignedInSession>;
  /** Takes the second step of the sign-in in `step`. */
  continueSignIn(proof: StepProof, options?: { signal?: AbortSignal }): Promise<SignedInSession>;
  /** Keeps the session that another procedure returned, such as a registration. Selects no account. */
  adoptSession(session: KeptSession): void;
  /**
   * Refreshes the session past half of its life, and leaves it as it is if the service cannot be reached.
   * @returns whether the cookie has changed
   */
  refresh(): Promise<boolean>;
  /**
   * Removes the cookies, then ends the session at the service. Rejects if the service could not be reached.
   * @returns where to redirect the browser, if an identity provider began the session
   */
  signOut(): Promise<SignedOut>;
  /** Keeps in a cookie which account later calls and requests act in. The service decides whether they may. */
  selectAccount(accountId: number | null): void;
  /** The procedures, acting in another account: for pages whose address says which. */
  withAccount(accountId: number | null): Api;
}

/** The client of one visitor of the main service, for one request. */
export interface ServerClient extends RequestClient<MainApi> {}

/** The client of one visitor of the admin service, for one request. */
export interface AdminServerClient extends RequestClient<AdminApi> {}

/** Longer than any request, but short enough for a shared client to be noticed. */
const MAX_REQUEST_MS = 300_000;

const TIMEOUT_MS = 10_000;

/** The longest that browsers keep a cookie. */
const ACCOUNT_SECONDS = 400 * 86_400;

/**
 * A client on a server, for one request of one visitor: it acts by the visitor's cookie, and sets that. Make one for each
 * request; it refuses a second sign-in, and to be used for minutes. It never refreshes by itself: call `refresh` where cookies can
 * be set.
 */
export function createServerClient(options: ServerClientOptions): ServerClient {
  return createRequestClient(createMainClient, options, '');
}

/** The same for the admin service. Its cookies have other names. */
export function createAdminServerClient(options: ServerClientOptions): AdminServerClient {
  return createRequestClient(createAdminClient, options, '-admin');
}

function createRequestClient<Api extends SessionApi>(
  create: (options: ClientOptions) => GatehouseClient<Api>,
  options: ServerClientOptions,
  deployment: Deployment,
): RequestClient<Api> {
  if (!isServer()) throw new Error('A server client is for servers: in a browser use createMainClient');
  const { cookies, visitor = {}, secure = needsTls(), timeoutMs = TIMEOUT_MS, ...rest } = options;
  // Next.js forbids pages that it may prerender to read the time.
  const madeAtMs = performance.now();
  const kept = clientCookies(cookies, secure, deployment);
  let isRefused = false;
  let hasBegun = false;
  let isBeginning = false;
  let replaced: readonly string[] = [];

  const client = create({
    ...rest,
    store: { get: () => (isRefused ? null : kept.session.read()), set: setToken },
    refresh: false,
    deviceId: null,
    fetch: fetchFor({ visitor, timeoutMs }, options.fetch),
  });

  /** @throws {Error} if this is an object of another request */
  function requireOwn(): void {
    if (performance.now() - madeAtMs < MAX_REQUEST_MS) return;
    throw new Error(
      'A server client is of one request, and this one is minutes old: make one for each request',
    );
  }

  /** Checked before the call, because a session that no cookie can hold would be lost. */
  function requireNew(): void {
    requireOwn();
    if (hasBegun) {
      throw new Error('A server client is of one visitor, and has signed one in: make one for each request');
    }
    touch(kept.session);
  }

  function setToken(token: string | null): void {
    if (token !== null) {
      if (isBeginning) replaced = kept.replaceSessions();
      kept.session.write(token, secondsLeft(token));
      isRefused = false;
      return;
    }
    // The service has refused it. While rendering, the cookie stays until it expires.
    isRefused = true;
    tryTo(forget);
  }

  /** The end of an impersonation keeps the browser's own session and its cookies. */
  function forget(): void {
    kept.session.write(null);
    if (kept.isActing) return;
    kept.challenge.write(null);
    kept.account.write(null);
  }

  async function begin(signIn: () => Promise<SignedInSession>): Promise<SignedInSession> {
    isBeginning = true;
    const session = await signIn().finally(() => {
      isBeginning = false;
    });
    hasBegun = true;
    kept.challenge.write(null);
    kept.account.write(session.accountId === null ? null : String(session.accountId), ACCOUNT_SECONDS);
    // No cookie has the previous sessions any more: nobody could use or end them.
    const ends = replaced.map((token) => client.api.session.end.mutate(undefined, perCall({ token })));
    await Promise.allSettled(ends);
    return session;
  }

  const gatehouse: RequestClient<Api> = {
    get api() {
      return gatehouse.withAccount(gatehouse.accountId);
    },
    url: client.url,
    get isSignedIn() {
      requireOwn();
      return client.isSignedIn;
    },
    get accountId() {
      const value = kept.account.read() ?? '';
      return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : null;
    },
    get step() {
      requireOwn();
      return readStep(kept.challenge);
    },
    async signIn(credentials, how) {
      requireNew();
      try {
        return await begin(() => client.signIn(credentials, how));
      } catch (error) {
        if (isSecondFactorRequired(error)) keepStep(kept.challenge, error);
        throw error;
      }
    },
    async continueSignIn(proof, how) {
      requireNew();
      const { step } = gatehouse;
      if (step === null) throw new Error('No sign-in of this browser waits for a second step: sign in again');
      try {
        return await begin(() => client.continueSignIn(step.challenge, proof, how));
      } catch (error) {
        if (isGatehouseError(error, 'invalid_challenge')) kept.challenge.write(null);
        throw error;
      }
    },
    adoptSession(session) {
      requireNew();
      isBeginning = true;
      client.adoptSession(session);
      isBeginning = false;
      hasBegun = true;
      // The cookie may contain the account of the member who was signed in before.
      kept.account.write(null);
    },
    async refresh() {
      requireOwn();
      const token = client.token ?? '';
      if (!isDue(tokenLife(token, false))) return false;
      touch(kept.session);
      await client.api.session.refresh
        .mutate(undefined, perCall({ isRepeatable: true }))
        .catch(() => undefined);
      return client.token !== token;
    },
    async signOut() {
      requireOwn();
      touch(kept.session);
      const ended = client.signOut();
      forget();
      return ended;
    },
    selectAccount(accountId) {
      requireOwn();
      kept.account.write(accountId === null ? null : String(accountId), ACCOUNT_SECONDS);
    },
    withAccount(accountId) {
      requireOwn();
      return client.withAccount(accountId).api;
    },
  };
  return withoutSecrets(gatehouse);
}

/** When it is serialized, as in a log or a component's properties, it reveals nothing that gives access to the session. */
function withoutSecrets<Client extends RequestClient<unknown>>(gatehouse: Client): Client {
  const toJSON = () => ({ url: gatehouse.url, accountId: gatehouse.accountId });
  for (const key of ['toJSON', Symbol.for('nodejs.util.inspect.custom')])
    Object.defineProperty(gatehouse, key, { value: toJSON });
  return gatehouse;
}

/** No framework may cache an answer, as some do with GET unless told. A redirect would take the token to another host. */
function fetchFor(
  { visitor, timeoutMs }: Required<Pick<ServerClientOptions, 'visitor' | 'timeoutMs'>>,
  send: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init),
): typeof globalThis.fetch {
  const { address, userAgent } = visitor;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    if (address) headers.set('x-forwarded-for', address);
    if (userAgent) headers.set('user-agent', userAgent);
    const signals = init?.signal ? [init.signal] : [];
    if (Number.isFinite(timeoutMs)) signals.push(AbortSignal.timeout(timeoutMs));
    // Node's types lack `cache`.
    const how: RequestInit & { cache: 'no-store' } = {
      ...init,
      headers,
      signal: AbortSignal.any(signals),
      cache: 'no-store',
      redirect: 'error',
    };
    return send(input, how);
  };
}

/** Sets a cookie. Throws in a context that cannot set cookies. */
function touch(cookie: Cookie): void {
  const value = cookie.read();
  cookie.write(value, value === null ? 0 : secondsLeft(value));
}

function secondsLeft(token: string): number | undefined {
  const life = tokenLife(token, false);
  return life && Math.max(0, Math.floor((life.expiresAtMs - Date.now()) / 1000));
}

function isDue(life: TokenLife | undefined): boolean {
  return life !== undefined && Date.now() >= (life.issuedAtMs + life.expiresAtMs) / 2;
}

function tryTo(act: () => void): void {
  try {
    act();
  } catch {
    // While rendering.
  }
}
