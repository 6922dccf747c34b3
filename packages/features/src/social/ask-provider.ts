import { ProviderError } from './provider-error.js';

/**
 * Longer than providers usually need, and short enough that two requests leave time to answer the browser.
 */
const TIMEOUT_MS = 4_000;
const LONGEST_ANSWER_BYTES = 256 * 1024;

export interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly form?: URLSearchParams;
}

export interface ProviderAnswer {
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
    if (size > LONGEST_ANSWER_BYTES) throw new ProviderError('malformed');
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
