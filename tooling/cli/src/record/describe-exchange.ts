import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { beginsAsJson, isList, isRecord, type Json, parseInner, parseJson } from './json.js';
import type { KeptBody } from './kept-body.js';
import type { RecordedBody, RecordedExchange } from './recorded-exchange.js';
import type { PassedExchange } from './recording-proxy.js';
import { isPlainName, mayNameSecret, type SecretDigests } from './secret-digests.js';

/** Headers of a request that decide about its answer. No others are recorded. */
const KEPT_OF_REQUESTS = ['accept', 'accountid', 'apptype', 'content-type', 'origin'];
const KEPT_OF_ANSWERS = ['content-type'];

/** Less than `parseJson` accepts, which has to read the line again. */
const MAX_BODY_DEPTH = 100;

/** The recorded line of an exchange. */
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
      path: digests.withinPath(path),
      query: secretPairs(queryPairs(search), digests),
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
 * Path and query as they were sent. Clients may send what no URL parser accepts, such as `//` or `http://[/`, and the replaced
 * system answers it.
 */
function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const [local = ''] = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split('#');
  const [, path = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(local) ?? [];
  return { path: path.startsWith('/') ? path : `/${path}`, search };
}

/** A part without `=` is a value without a name, unless it is a word. */
function queryPairs(search: string): readonly (readonly [string, string])[] {
  return search
    .split('&')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const pairs = [...new URLSearchParams(part)];
      const isNamed = part.includes('=') || /^[a-z]{1,16}$/i.test(part);
      return isNamed ? pairs : pairs.map(([name]): [string, string] => ['', name]);
    });
}

type ReadBody = Exclude<RecordedBody, { kind: 'text' }> | { readonly kind: 'text'; readonly text: string };

/** The body, or why it is not recorded. */
function readBody(headers: IncomingHttpHeaders, kept: KeptBody, most: number): ReadBody | string {
  if (kept.length > most) return `more than ${most} bytes`;
  if (!kept.isWhole) return 'it broke off';
  const text = textOf(headers['content-encoding'], kept.bytes, most);
  if (text === undefined) return `an encoding of its own, or more than ${most} bytes`;
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/x-www-form-urlencoded') {
    const pairs = [...new URLSearchParams(text)];
    // Some clients send JSON or just a secret under this type, which would become the name of a field.
    const isForm =
      text.split('&').every((pair) => pair.includes('=')) && pairs.every(([name]) => isPlainName(name));
    return isForm ? { kind: 'form', pairs } : 'it is no form';
  }
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
    const [, scheme = '', secret = authorization] =
      /^(basic|bearer|digest|jwt|token) +(\S+)$/i.exec(authorization) ?? [];
    kept['authorization'] = `${scheme} ${digests.of(secret)}`.trim();
  }
  if (cookie !== undefined) kept['cookie'] = digests.of(cookie);
  return kept;
}

function headersOfAnswer(headers: IncomingHttpHeaders, digests: SecretDigests) {
  const kept: Record<string, string> = {};
  for (const name of KEPT_OF_ANSWERS) {
    const value = headers[name];
    if (value !== undefined) kept[name] = digests.within(String(value));
  }
  if (headers.location !== undefined) kept['location'] = digests.ofParts(headers.location);
  const cookies = headers['set-cookie'];
  if (cookies !== undefined) kept['set-cookie'] = digests.of(cookies);
  return kept;
}

/** In a request, secrets become digests: the rest is needed to send it again. */
function bodyOfRequest(body: ReadBody, digests: SecretDigests): RecordedBody {
  if (body.kind === 'text') return { kind: 'text', digest: digests.of(body.text) };
  if (body.kind === 'form') return { kind: 'form', pairs: secretPairs(body.pairs, digests) };
  return { kind: 'json', value: withoutSecrets(body.value, digests) };
}

/** How deep JSON may be nested in texts within JSON. */
const MAX_TEXTS = 4;

function withoutSecrets(whole: Json, digests: SecretDigests, texts = 0): Json {
  const without = (value: Json, name = ''): Json => {
    if (value === null || value === '' || typeof value === 'boolean') return value;
    if (mayNameSecret(name)) return digests.of(value);
    if (typeof value === 'string') return textWithoutSecrets(value, digests, texts);
    return mapFields(value, without, name, digests);
  };
  return without(whole);
}

/** For a text that is JSON, the same with its secrets as digests; for one that only begins like JSON, a digest. */
function textWithoutSecrets(text: string, digests: SecretDigests, texts = 0): string {
  if (!beginsAsJson(text)) return digests.within(text);
  const value = texts < MAX_TEXTS ? parseInner(text, MAX_BODY_DEPTH) : undefined;
  return value === undefined ? digests.of(text) : JSON.stringify(withoutSecrets(value, digests, texts + 1));
}

/** In an answer every text becomes a digest: the replaced system may send a secret under any name. */
function bodyOfAnswer(body: ReadBody, digests: SecretDigests): RecordedBody {
  if (body.kind === 'text') return { kind: 'text', digest: digests.of(body.text) };
  if (body.kind === 'form')
    return {
      kind: 'form',
      pairs: body.pairs.map(([name, value]): [string, string] => [digests.ofName(name), digests.of(value)]),
    };
  const digested = (value: Json, name = ''): Json => {
    if (value === null || value === '' || typeof value === 'boolean') return value;
    if (typeof value === 'string') return digests.ofParts(value);
    if (typeof value === 'number' && mayNameSecret(name)) return digests.of(value);
    return mapFields(value, digested, name, digests);
  };
  return { kind: 'json', value: digested(body.value) };
}

/** The elements of an array have the name of its field. */
function mapFields(
  value: Json,
  map: (value: Json, name: string) => Json,
  name: string,
  digests: SecretDigests,
): Json {
  if (isList(value)) return value.map((each: Json) => map(each, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, each]) => [digests.ofName(field), map(each, field)]),
  );
}

function secretPairs(
  pairs: readonly (readonly [string, string])[],
  digests: SecretDigests,
): [string, string][] {
  return pairs.map(([name, value]) => [
    digests.ofName(name),
    value !== '' && (mayNameSecret(name) || !isPlainName(name))
      ? digests.of(value)
      : textWithoutSecrets(value, digests),
  ]);
}
