import type { MainOutputs } from '../main.js';
import { cookieNames, needsTls } from '../server/cookie-names.js';
import { credentialsIn } from './credentials.js';
import { isAccessToken, offlineVerifier } from './offline.js';
import { onceForConcurrent } from './once-for-concurrent.js';
import {
  type Decision,
  type Refusal,
  UNAUTHORIZED,
  unavailable,
  unlessReadOnly,
  type Verified,
  type VerifiedCaller,
  type Verifier,
  verifierOf,
} from './verified.js';

export interface VerifierOptions {
  /** The base address of the main service, as this server reaches it. */
  url: string;
  /**
   * The origin of this API, as root staff registered it (`resource.save`). A bearer that `accessTokenFor` of a client got for it
   * is then verified without a call. **A revocation takes effect when the token ends, after at most five minutes.**
   */
  audience?: string;
  /** The service's BASE_URL, which those tokens name; `url` by default. */
  issuer?: string;
  /**
   * How long a positive answer is kept, in milliseconds: 0 by default, 5,000 at most. **Until then, a session that ended and a
   * permission that was removed are still accepted.**
   */
  cacheMs?: number;
  /** How long the service may take, in milliseconds; 5,000 by default. */
  timeoutMs?: number;
  /** The header of session tokens, if the deployment has renamed it. */
  tokenHeader?: string;
  /**
   * Whether session cookies require TLS, and have the names of such cookies; true by default, except where NODE_ENV is
   * `development`.
   */
  secure?: boolean;
  /** Where pages with a session cookie may come from, besides the address of the request, as behind a proxy that changes it. */
  origins?: readonly string[];
  /** Sends the requests instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** A base address. `fetch` rejects addresses that contain a password. */
const ADDRESS = /^https?:\/\/[^\s?#@]+$/i;
const TIMEOUT_MS = 5_000;
const MAX_CACHE_MS = 5_000;
const MAX_CACHED = 10_000;

/**
 * Verifies requests to a server of the product by asking the service who sent them. Concurrent calls with one token ask once. By
 * default nothing is kept, so the next request sees a session that ended.
 * @throws {RangeError} for a `cacheMs` above 5,000
 * @throws {TypeError} for a `url` that is no http or https address
 */
export function createVerifier(options: VerifierOptions & { audience?: undefined }): Verifier;
export function createVerifier(options: VerifierOptions): Verifier<VerifiedCaller>;
export function createVerifier(options: VerifierOptions): Verifier<VerifiedCaller> {
  const { cacheMs = 0, tokenHeader = 'Token', secure = needsTls(), origins = [] } = options;
  if (!(cacheMs >= 0 && cacheMs <= MAX_CACHE_MS)) throw new RangeError('`cacheMs` is 0 to 5,000');
  if (!ADDRESS.test(options.url) || !URL.canParse(options.url))
    throw new TypeError('`url` is the address of the main service, such as http://main:4000');
  const names = { tokenHeader, cookies: cookieNames(secure, ''), isSecure: secure, origins };
  const ask = onceForConcurrent((key: string) => askService(options, key));
  const { timeoutMs = TIMEOUT_MS } = options;
  const verifyOffline = offlineIn(options);
  const cached = new Map<string, { readonly me: Me; readonly untilMs: number }>();

  /** All answers live equally long, so the first in the map is the first to expire, or nearly. */
  function cache(key: string, me: Me, askedMs: number): void {
    const nowMs = performance.now();
    cached.delete(key);
    cached.set(key, { me, untilMs: askedMs + cacheMs });
    for (const [first, { untilMs }] of cached) {
      if (untilMs > nowMs && cached.size <= MAX_CACHED) break;
      cached.delete(first);
    }
  }

  async function answerFor(key: string): Promise<Answer> {
    const known = cached.get(key);
    const askedMs = performance.now();
    if (known !== undefined && askedMs < known.untilMs) return known.me;
    const answer = await inTime(ask(key), timeoutMs);
    // What changed after the question may not be in the answer, however late that arrives.
    if (cacheMs > 0 && !('code' in answer)) cache(key, answer, askedMs);
    return answer;
  }

  return verifierOf<VerifiedCaller>(async (request) => {
    const credentials = credentialsIn(request, names);
    if (credentials === undefined) return UNAUTHORIZED;
    const { headers, isChange } = credentials;
    const bearer = bearerIn(headers['authorization']);
    if (verifyOffline !== undefined && isAccessToken(bearer))
      return verifyOffline(bearer, headers['accountid']);
    const answer = await answerFor(JSON.stringify(headers));
    return 'code' in answer ? answer : decide(answer, isChange);
  });
}

function offlineIn({ url, issuer = url, audience, timeoutMs = TIMEOUT_MS }: VerifierOptions) {
  if (audience === undefined) return undefined;
  return offlineVerifier({
    url: trimmed(url),
    issuer: trimmed(issuer),
    audience: trimmed(audience),
    timeoutMs,
  });
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}

function bearerIn(authorization = ''): string {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
}

type Session = MainOutputs['session']['me'];

/** An older service answers without `key` and `application`. */
type Me = Omit<Session, 'key' | 'application'> & Partial<Pick<Session, 'key' | 'application'>>;

type Answer = Me | Refusal;

/** The whole body of the service's 401, which has no code. */
const UNAUTHORIZED_TEXT = 'unauthorized access';

/** A caller that joins others waits no longer than one that asks alone. */
async function inTime(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(new TypeError('No answer'))), timeoutMs);
  });
  try {
    return await Promise.race([answer, end]);
  } finally {
    clearTimeout(timer);
  }
}

async function askService(options: VerifierOptions, headers: string): Promise<Answer> {
  const { url, timeoutMs = TIMEOUT_MS, fetch: send = globalThis.fetch } = options;
  try {
    // Node's types lack `cache`.
    const how: RequestInit & { cache: 'no-store' } = {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `credentialsIn`
      headers: { ...(JSON.parse(headers) as Record<string, string>), accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      // No framework may cache the answer, and a redirect would take the token to another host.
      cache: 'no-store',
      redirect: 'error',
    };
    const response = await send(`${trimmed(url)}/auth/me`, how);
    const { status } = response;
    const text = await response.text();
    if (status === 401 && text === UNAUTHORIZED_TEXT) return UNAUTHORIZED;
    // A page of a proxy is not an answer of the service, and throws here.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is read of it is checked
    const body = JSON.parse(text) as Me & { error?: { code?: unknown } };
    // The token of an application is for the service alone (RFC 8707): its member approved it there, not here.
    if (status === 200 && body.member.id > 0) return body.application ? UNAUTHORIZED : body;
    const code = body.error?.code;
    if ((status === 400 || status === 403 || status === 429) && typeof code === 'string')
      return { status, code };
    throw new TypeError(`status ${status}`);
  } catch (cause) {
    throw unavailable(new TypeError('No answer', { cause }));
  }
}

/** Refuses what the service would refuse. It does not say whether the member has the factor, so the code is always the same. */
function decide(me: Me, isChange: boolean): Decision<Verified> {
  const { member, currentAccount: account, actor, key, level } = me;
  if ((account ?? me).requires !== null) return { status: 403, code: 'verification_required' };
  const verified: Verified = {
    member,
    account: account && { id: account.accountId, name: account.accountName },
    role: account?.role ?? null,
    permissions: account?.permissions ?? [],
    subscription: account?.subscription ?? null,
    level,
    actor,
    key: key ?? null,
  };
  return unlessReadOnly(verified, isChange);
}
