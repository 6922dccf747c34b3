import type { IncomingMessage } from 'node:http';
import { parseUrl } from '@gatehouse/auth-core';
import type { Logger } from '@gatehouse/runtime/log/log';
import cors from 'cors';
import type { HttpConfig } from './http-config.js';
import { CLIENT_HEADER } from './session-cookies.js';

type Handler = ReturnType<typeof cors>;

/** What the tracing libraries of front ends add to each call: W3C Trace Context and Baggage, and those of vendors. */
const TRACING_HEADERS = [
  'Traceparent',
  'Tracestate',
  'Baggage',
  'Sentry-Trace',
  'B3',
  'X-B3-TraceId',
  'X-B3-SpanId',
  'X-B3-ParentSpanId',
  'X-B3-Sampled',
  'X-B3-Flags',
  'Uber-Trace-Id',
  'X-Datadog-Trace-Id',
  'X-Datadog-Parent-Id',
  'X-Datadog-Origin',
  'X-Datadog-Sampling-Priority',
  'X-Datadog-Tags',
  'Newrelic',
  'Elastic-Apm-Traceparent',
  'Request-Id',
  'Request-Context',
  'X-Cloud-Trace-Context',
  'X-Amzn-Trace-Id',
  'X-Instana-T',
  'X-Instana-S',
  'X-Instana-L',
  'X-Dtc',
  'X-Dtpc',
  'X-Dtreferer',
  'Ot-Tracer-TraceId',
  'Ot-Tracer-SpanId',
  'Ot-Tracer-Sampled',
  'Sw8',
  'X-Honeycomb-Trace',
];
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'WWW-Authenticate',
  // So that clients know the time of the service, which decides when sessions end.
  'Date',
];

/**
 * CORS by allow-list: the origins of `CORS_ORIGINS`, of the front end and of `COOKIE_ORIGINS`. Only the last may send cookies and
 * the header that asks for them. Pages of applications call `applicationPaths`, whose answers themselves say which of them may
 * read them, so any page may send a preflight.
 */
export function createCors(
  config: Origins & Pick<HttpConfig, 'TOKEN_HEADER_KEY'>,
  applicationPaths: ReadonlySet<string> = new Set(),
): Handler {
  const allowedHeaders = [
    ...(config.TOKEN_HEADER_KEY.toLowerCase() === 'authorization' ? [] : [config.TOKEN_HEADER_KEY]),
    'Accountid',
    'Apptype',
    'Authorization',
    'Content-Type',
    'Mcp-Protocol-Version',
    'Trpc-Accept',
    'X-Device-Id',
    'X-Request-Id',
    ...TRACING_HEADERS,
  ];
  const common = {
    methods: ['GET', 'POST'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
  };
  const withoutCookies = cors({ ...common, allowedHeaders, origin: allowedOrigins(config) });
  const forApplications = cors({ ...common, allowedHeaders: ['Authorization', 'Content-Type'], origin: '*' });
  const cookieOrigins = new Set(config.COOKIE_ORIGINS);
  const withCookies = cors({
    ...common,
    allowedHeaders: [...allowedHeaders, CLIENT_HEADER],
    origin: [...cookieOrigins],
    credentials: true,
  });
  const exposed = EXPOSED_HEADERS.join(',');
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined && request.method !== 'OPTIONS') {
      // The headers that the package sets then, without its copies of the options.
      response.setHeader('Vary', 'Origin');
      response.setHeader('Access-Control-Expose-Headers', exposed);
      next();
    } else if (request.method === 'OPTIONS' && applicationPaths.has(pathOf(request))) {
      forApplications(request, response, next);
    } else (cookieOrigins.has(origin ?? '') ? withCookies : withoutCookies)(request, response, next);
  };
}

/**
 * The headers for an answer outside the usual path, by the origin of its request; undefined if the origin was not read. Such an
 * answer is the same for everybody, so then every page may read it.
 */
export function createPlainCors(config: Origins): (origin: string | undefined) => [string, string][] {
  const allowed = new Set(allowedOrigins(config));
  const cookieOrigins = new Set(config.COOKIE_ORIGINS);
  const exposed: [string, string] = ['Access-Control-Expose-Headers', EXPOSED_HEADERS.join(',')];
  return (origin) => {
    if (origin === undefined) return [['Access-Control-Allow-Origin', '*'], exposed];
    if (!allowed.has(origin)) return [['Vary', 'Origin'], exposed];
    return [
      ['Access-Control-Allow-Origin', origin],
      ['Vary', 'Origin'],
      ...(cookieOrigins.has(origin)
        ? [['Access-Control-Allow-Credentials', 'true'] as [string, string]]
        : []),
      exposed,
    ];
  };
}

type Origins = Pick<HttpConfig, 'APP_URL' | 'CORS_ORIGINS' | 'COOKIE_ORIGINS'>;

function pathOf(request: object): string {
  return 'url' in request && typeof request.url === 'string' ? request.url : '';
}

/** The origins of pages that may read answers. */
export function allowedOrigins({ APP_URL, CORS_ORIGINS, COOKIE_ORIGINS }: Origins): string[] {
  return [...new Set([new URL(APP_URL).origin, ...CORS_ORIGINS, ...COOKIE_ORIGINS])];
}

const MAX_TOLD = 100;

/**
 * In development, logs once each page whose calls the browser blocks, because the browser does not name the
 * variable to set. In production the origin is not logged, because it is the caller's text.
 */
export function createOriginNotice(
  config: Origins & Pick<HttpConfig, 'NODE_ENV'>,
  log: Pick<Logger, 'notice'>,
): (request: IncomingMessage) => void {
  if (config.NODE_ENV !== 'development') return () => undefined;
  const settled = new Set(allowedOrigins(config));
  return ({ headers: { origin, host } }) => {
    if (origin === undefined || settled.has(origin) || settled.size > MAX_TOLD) return;
    const url = parseUrl(origin);
    if (url?.origin !== origin || url.host === host) return;
    settled.add(origin);
    log.notice('cors.refused', { origin, variable: 'CORS_ORIGINS' });
  };
}
