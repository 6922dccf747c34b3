import type { OpenApiDocument } from '@gatehouse/http/openapi/open-api-types';
import { createInstance, getHttpOperationsFromSpec, type IHttpRequest } from '@stoplight/prism-http';
import { asRead } from './as-read.js';
import { describedPaths } from './described-paths.js';
import type { Exchange } from './exchange.js';
import { isForeseenSentence } from './foreseen-sentences.js';
import { silentLogger } from './silent-logger.js';

/** Everything in an exchange that the document does not allow. Tests expect none. */
export type Judge = (exchange: Exchange) => Promise<readonly string[]>;

/** Statuses without an operation: an unknown path, or another method. */
const NOT_AN_OPERATION = new Set([404, 405]);

/** The operations that describe the answers of a method. */
const METHODS: Readonly<Record<string, IHttpRequest['method']>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** What only the body of a request can be refused with; documents show procedures that read without a body. */
const OF_BODIES = new Set([413, 415]);

/**
 * Checks exchanges with Prism. Every answer must match the document: its status, headers, media type and
 * body. A request that was not refused must match too; refused ones often break the document on purpose.
 */
export async function createJudge(document: OpenApiDocument): Promise<Judge> {
  const operations = await getHttpOperationsFromSpec(document);
  const required = document.components.schemas['Problem']?.['required'];
  const pathOf = describedPaths([...new Set(operations.map(({ path }) => path))]);

  const operationAt = (template: string | undefined, method: string) =>
    operations.find((each) => each.path === template && each.method === method);

  return async (sent) => {
    const { method, status } = sent;
    const found = pathOf(new URL(sent.target, 'http://service').pathname);
    const isRead = method === 'POST' && found !== undefined && !operationAt(found.template, 'post');
    const exchange = isRead && found.template.startsWith('/v1/') ? asRead(sent) : sent;
    const { pathname, searchParams } = new URL(exchange.target, 'http://service');
    const asked = METHODS[exchange.method];
    const operation = asked && operationAt(found?.template, asked);
    const title = `${method} ${found?.template ?? pathname} answered ${status}`;
    if (exchange !== sent && OF_BODIES.has(status)) return [];
    if (!found || !asked || !operation)
      return NOT_AN_OPERATION.has(status) ? [] : [`${title}, which is not described`];
    if (method === 'HEAD') return [];

    const prism = createInstance(
      {
        isProxy: true,
        upstream: new URL('http://service'),
        upstreamProxy: undefined,
        mock: { dynamic: false },
        checkSecurity: true,
        validateRequest: true,
        validateResponse: true,
        errors: false,
      },
      {
        logger: silentLogger(),
        // The request was already forwarded; here is its answer.
        forward: () => () => () =>
          Promise.resolve({ _tag: 'Right', right: asEnvelope(answerOf(exchange), required) }),
      },
    );
    const outcome = await prism.request(
      requestOf(exchange, { pathname: decodable(found.pathname), searchParams, asked }),
      [operation],
    )();
    if (outcome._tag === 'Left') return [`${title}: ${outcome.left.message}`];
    const { input, output } = outcome.right.validations;
    const asDescribed = input.filter(({ message }) => !isSpeltAsText(message, exchange));
    const isRefused = status >= 400 || tellsAnError(exchange);
    const { body } = asEnvelope(answerOf(exchange), required);
    const described = document.paths[found.template]?.[asked]?.responses[status];
    return [
      ...[...(isRefused ? [] : asDescribed), ...output].map(
        ({ message, path = [] }) => `${title}: ${path.join('.')} ${message}`,
      ),
      ...(isForeseenSentence(document, described, body) ? [] : [`${title} with another sentence`]),
    ];
  };
}

/** A bad callback from a provider is refused by a redirect with an error code. */
function tellsAnError({ status, responseHeaders: { location } }: Exchange): boolean {
  return status === 302 && new URL(location ?? '', 'http://service').searchParams.has('error');
}

/** The document states in words, not in schemas, that numbers may be sent as text. */
function isSpeltAsText(message: string, { requestBody }: Exchange): boolean {
  const [, name = ''] = /property (\w+) must be integer$/.exec(message) ?? [];
  return name !== '' && new RegExp(`"${name}"\\s*:\\s*"-?\\d{1,16}"`).test(requestBody.toString());
}

/** Prism decodes paths, and throws on an invalid encoding. */
function decodable(pathname: string): string {
  try {
    decodeURIComponent(pathname);
    return pathname;
  } catch {
    return pathname.replaceAll('%', '%25');
  }
}

function requestOf(
  { requestHeaders, requestBody }: Exchange,
  asked: { pathname: string; searchParams: URLSearchParams; asked: IHttpRequest['method'] },
): IHttpRequest {
  const body = bodyOf(requestBody, requestHeaders['content-type']);
  return {
    method: asked.asked,
    url: {
      path: asked.pathname,
      query: Object.fromEntries(
        [...new Set(asked.searchParams.keys())].map((name) => {
          const [only = '', ...others] = asked.searchParams.getAll(name);
          return [name, others.length === 0 ? only : [only, ...others]];
        }),
      ),
    },
    headers: plain(requestHeaders),
    ...(body === undefined ? {} : { body }),
  };
}

function answerOf({ status, responseHeaders, responseBody }: Exchange) {
  return {
    statusCode: status,
    headers: plain(responseHeaders),
    body: bodyOf(responseBody, responseHeaders['content-type']),
  };
}

/** No operation lists problem details. They are checked as the envelope they replace. */
function asEnvelope(answer: ReturnType<typeof answerOf>, required: unknown) {
  const { headers, body, statusCode } = answer;
  if (!headers['content-type']?.startsWith('application/problem+json')) return answer;
  const problem = new Map(Object.entries(typeof body === 'object' ? (body ?? {}) : {}));
  const [title, issues] = [problem.get('title'), problem.get('issues')];
  const isWhole =
    Array.isArray(required) &&
    required.every((name: unknown) => problem.has(String(name))) &&
    problem.get('status') === statusCode &&
    problem.get('detail') === title;
  const error = isWhole
    ? { code: problem.get('code'), ...(issues === undefined ? {} : { issues }) }
    : 'no whole problem';
  return {
    ...answer,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: { status: false, message: title, error, requestId: problem.get('requestId') },
  };
}

function bodyOf(body: Buffer, contentType: string | undefined): unknown {
  if (body.length === 0) return undefined;
  const text = body.toString();
  if (!/^application\/([a-z-]+\+)?json\b/i.test(contentType ?? '')) return text;
  try {
    return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value));
  } catch {
    return text;
  }
}

function plain(headers: Exchange['requestHeaders']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
