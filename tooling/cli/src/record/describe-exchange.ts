import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { isList, isRecord, type Json, parseJson } from './json.js';
import type { KeptBody } from './kept-body.js';
import type { RecordedBody, RecordedExchange } from './recorded-exchange.js';
import type { PassedExchange } from './recording-proxy.js';
import { namesSecret, type SecretDigests } from './secret-digests.js';

/** Headers of a request that decide about its answer. No others are recorded. */
const KEPT_OF_REQUESTS = ['accept', 'accountid', 'apptype', 'content-type', 'origin'];
const KEPT_OF_ANSWERS = ['content-type'];

/** Less than `parseJson` takes, which has to read the line again. */
const MAX_BODY_DEPTH = 100;

/** The line that is written of an exchange. */
export function describeExchange(
  { atMs, ms, request, requestBody, answer, answerBody, failure }: PassedExchange,
  { digests, tokenHeader, keptBytes }: { digests: SecretDigests; tokenHeader: string; keptBytes: number },
): RecordedExchange {
  const leftOut: string[] = [];
  const { path, search } = splitTarget(request.url ?? '/');
  const bodyOf = (whose: string, message: IncomingMessage, kept: KeptBody) => {
    if (kept.length === 0) return {};
    const body = readBody(message.headers, kept, keptBytes);
    if (typeof body === 'string') {
      leftOut.push(`the body of the ${whose}: ${body}`);
      return {};
    }
    return { body };
  };
  const sent = bodyOf('request', request, requestBody);
  const answered =
    answer === undefined || answerBody === undefined ? {} : bodyOf('answer', answer, answerBody);
  return {
    is: 'exchange',
    at: new Date(atMs).toISOString(),
    ms,
    request: {
      method: request.method ?? 'GET',
      path: digests.within(path),
      query: secretPairs([...new URLSearchParams(search)], digests),
      headers: headersOfRequest(request.headers, digests, tokenHeader),
      ...('body' in sent ? { body: bodyOfRequest(sent.body, digests) } : {}),
    },
    ...(answer === undefined
      ? {}
      : {
          answer: {
            status: answer.statusCode ?? 0,
            headers: headersOfAnswer(answer.headers, digests),
            ...('body' in answered ? { body: bodyOfAnswer(answered.body, digests) } : {}),
          },
        }),
    ...(failure === undefined ? {} : { failure }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

/**
 * Path and query as they were sent. Clients may send what no parser of addresses takes, such as `//` or `http://[/`, and the replaced
 * system answers it.
 */
function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const [local = ''] = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split('#');
  const [, path = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(local) ?? [];
  return { path: path.startsWith('/') ? path : `/${path}`, search };
}

type ReadBody = Exclude<RecordedBody, { kind: 'text' }> | { readonly kind: 'text'; readonly text: string };

/** The body, or why it is not recorded. */
function readBody(headers: IncomingHttpHeaders, kept: KeptBody, most: number): ReadBody | string {
  if (kept.length > most) return `more than ${most} bytes`;
  if (!kept.isWhole) return 'it broke off';
  const text = textOf(headers['content-encoding'], kept.bytes, most);
  if (text === undefined) return `an encoding of its own, or more than ${most} bytes`;
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded')
    return { kind: 'form', pairs: [...new URLSearchParams(text)] };
  if (!/[/+]json$/.test(type)) return { kind: 'text', text };
  const value = parseJson(text, MAX_BODY_DEPTH);
  return value === undefined ? `it is no JSON, or deeper than ${MAX_BODY_DEPTH}` : { kind: 'json', value };
}

const DECODERS = new Map([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

function textOf(encoding: string | undefined, bytes: Buffer, maxOutputLength: number): string | undefined {
  const open = DECODERS.get(encoding ?? '');
  if (open === undefined) return encoding === undefined ? bytes.toString() : undefined;
  try {
    return open(bytes, { maxOutputLength }).toString();
  } catch {
    return undefined;
  }
}

function headersOfRequest(headers: IncomingHttpHeaders, digests: SecretDigests, tokenHeader: string) {
  const kept: Record<string, string> = {};
  for (const name of KEPT_OF_REQUESTS) {
    const value = headers[name];
    if (value !== undefined) kept[name] = digests.within(String(value));
  }
  const token = headers[tokenHeader];
  if (token !== undefined) kept[tokenHeader] = digests.of(String(token));
  const { authorization, cookie } = headers;
  if (authorization !== undefined) {
    const [, scheme = '', secret = authorization] = /^([a-z]+) +(\S+)$/i.exec(authorization) ?? [];
    kept['authorization'] = `${scheme} ${digests.of(secret)}`.trim();
  }
  if (cookie !== undefined) kept['cookie'] = digests.of(cookie);
  return kept;
}

function headersOfAnswer(headers: IncomingHttpHeaders, digests: SecretDigests) {
  const kept: Record<string, string> = {};
  for (const name of KEPT_OF_ANSWERS) {
    const value = headers[name];
    if (value !== undefined) kept[name] = String(value);
  }
  if (headers.location !== undefined) kept['location'] = digests.ofParts(headers.location);
  const cookies = headers['set-cookie'];
  if (cookies !== undefined) kept['set-cookie'] = digests.of(cookies);
  return kept;
}

/** Of a request, secrets become digests: the rest is needed to send it again. */
function bodyOfRequest(body: ReadBody, digests: SecretDigests): RecordedBody {
  if (body.kind === 'text') return { kind: 'text', digest: digests.of(body.text) };
  if (body.kind === 'form') return { kind: 'form', pairs: secretPairs(body.pairs, digests) };
  const without = (value: Json, name = ''): Json => {
    if (value === null || value === '' || typeof value === 'boolean') return value;
    if (namesSecret(name)) return digests.of(value);
    if (typeof value === 'string') return digests.within(value);
    return mapFields(value, without, name);
  };
  return { kind: 'json', value: without(body.value) };
}

/** Of an answer every text becomes a digest: the replaced system may hold a secret under any name. */
function bodyOfAnswer(body: ReadBody, digests: SecretDigests): RecordedBody {
  if (body.kind === 'text') return { kind: 'text', digest: digests.of(body.text) };
  if (body.kind === 'form')
    return {
      kind: 'form',
      pairs: body.pairs.map(([name, value]): [string, string] => [name, digests.of(value)]),
    };
  const digested = (value: Json, name = ''): Json => {
    if (value === null || value === '' || typeof value === 'boolean') return value;
    if (typeof value === 'string') return digests.ofParts(value);
    if (typeof value === 'number' && namesSecret(name)) return digests.of(value);
    return mapFields(value, digested, name);
  };
  return { kind: 'json', value: digested(body.value) };
}

/** The elements of an array have the name of its field. */
function mapFields(value: Json, map: (value: Json, name: string) => Json, name: string): Json {
  if (isList(value)) return value.map((each: Json) => map(each, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, map(each, field)]));
}

function secretPairs(
  pairs: readonly (readonly [string, string])[],
  digests: SecretDigests,
): [string, string][] {
  return pairs.map(([name, value]) => [
    name,
    value !== '' && namesSecret(name) ? digests.of(value) : digests.within(value),
  ]);
}
