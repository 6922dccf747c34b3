import { createHmac } from 'node:crypto';
import type { SocialProfile } from '../core/social-providers/social-profile.js';
import type { ProfileRequest } from '../core/social-providers/social-provider.js';
import type { ConfiguredProvider } from './configured-provider.js';

/** Why a request to a provider failed. */
type ProviderFault =
  /** No answer in time, or a request to try later. */
  | 'unreachable'
  /** An answer in an undocumented form. */
  | 'malformed'
  /** A documented refusal, with the provider's code. */
  | 'refused';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly fault: ProviderFault;
  /** The provider's error code, never text of an answer. */
  readonly code: string | undefined;

  constructor(fault: ProviderFault, options: { code?: string; cause?: unknown } = {}) {
    super(`the provider's answer: ${fault}`, 'cause' in options ? { cause: options.cause } : undefined);
    this.fault = fault;
    this.code = options.code;
  }
}

/**
 * Longer than providers usually need, and short enough that two requests leave time to answer the browser.
 */
const TIMEOUT_MS = 4_000;

const MAX_ANSWER_BYTES = 256 * 1024;

interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly form?: URLSearchParams;
}

interface ProviderAnswer {
  readonly isOk: boolean;
  readonly json: unknown;
}

/**
 * Sends one request to a provider, with limits of time and size, and without following redirects.
 * @throws {ProviderError} only `unreachable` or `malformed`
 */
export async function askProvider({ method, url, headers, form }: ProviderRequest): Promise<ProviderAnswer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', 'user-agent': 'gatehouse', ...headers },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(form ? { body: form } : {}),
    });
    const text = await boundedText(response);
    if (response.status >= 500 || isRateLimited(response)) throw new ProviderError('unreachable');
    return { isOk: response.ok, json: parseJson(text) };
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError('unreachable', { cause });
  }
}

/** GitHub answers requests beyond its limits with 429 or 403; such a 403 refuses nothing for good. */
function isRateLimited({ status, headers }: Response): boolean {
  return (
    status === 429 ||
    (status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'))
  );
}

async function boundedText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const body: AsyncIterable<Uint8Array> = response.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new ProviderError('malformed');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes its text, which may contain tokens.
    throw new ProviderError('malformed');
  }
}

/**
 * Reads a person's profile from a provider.
 * @throws {ProviderError}
 */
export async function requestProfile(
  provider: ConfiguredProvider,
  accessToken: string,
): Promise<SocialProfile> {
  const requests = provider.profileRequests(provider.scopes);
  const answers = await Promise.all(requests.map((request) => askFor(provider, accessToken, request)));
  const profile = provider.readProfile(answers);
  if (!profile) throw new ProviderError('malformed');
  return profile;
}

/** The answer; undefined for a failure that the request allows, and for an address that is not configured. */
async function askFor(
  provider: ConfiguredProvider,
  accessToken: string,
  request: ProfileRequest,
): Promise<unknown> {
  const address = request.at === 'profile' ? provider.profileUrl : provider.organizationsUrl;
  if (address === undefined) return undefined;
  try {
    return await ask(provider, accessToken, address, request);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const isExpected =
      request.mayFail === 'anyhow' || (request.mayFail === 'refused' && error.fault === 'refused');
    if (isExpected) return undefined;
    throw error;
  }
}

async function ask(
  provider: ConfiguredProvider,
  accessToken: string,
  address: string,
  { path, query, headers: own }: ProfileRequest,
): Promise<unknown> {
  const url = new URL(address);
  url.pathname += path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (provider.provesSecret) url.searchParams.set('appsecret_proof', proofOf(provider, accessToken));
  const headers = { authorization: `Bearer ${accessToken}`, ...own };
  const { isOk, json } = await askProvider({ method: 'GET', url, headers });
  if (!isOk) throw new ProviderError('refused', { code: 'profile' });
  return json;
}

/** Proves to the Graph API that a token's holder also knows the application's secret. */
function proofOf({ clientSecret }: ConfiguredProvider, accessToken: string): string {
  return createHmac('sha256', clientSecret).update(accessToken).digest('hex');
}
