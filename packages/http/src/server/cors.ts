import type { IncomingMessage } from 'node:http';
import type { Logger } from '@gatehouse/runtime/log/log';
import cors from 'cors';
import type { HttpConfig } from './http-config.js';
import { CLIENT_HEADER } from './session-cookies.js';

type Handler = ReturnType<typeof cors>;

/**
 * CORS by allow-list: the origins of `CORS_ORIGINS`, of the front end and of `COOKIE_ORIGINS`. Only the last may send cookies
 * and the header that asks for them.
 */
export function createCors(config: Origins & Pick<HttpConfig, 'TOKEN_HEADER_KEY'>): Handler {
  const allowedHeaders = [
    config.TOKEN_HEADER_KEY,
    'Accountid',
    'Apptype',
    'Authorization',
    'Content-Type',
    'Trpc-Accept',
    'X-Device-Id',
    'X-Request-Id',
  ];
  const common = {
    methods: ['GET', 'POST'],
    exposedHeaders: [
      'X-Request-Id',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'WWW-Authenticate',
      // So that clients know the time of the service, by which sessions end.
      'Date',
    ],
    maxAge: 600,
  };
  const withoutCookies = cors({ ...common, allowedHeaders, origin: allowedOrigins(config) });
  const cookieOrigins = new Set(config.COOKIE_ORIGINS);
  const withCookies = cors({
    ...common,
    allowedHeaders: [...allowedHeaders, CLIENT_HEADER],
    origin: [...cookieOrigins],
    credentials: true,
  });
  const exposed = common.exposedHeaders.join(',');
  return (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined && request.method !== 'OPTIONS') {
      // What the package sets then, without its copies of the options.
      response.setHeader('Vary', 'Origin');
      response.setHeader('Access-Control-Expose-Headers', exposed);
      next();
    } else (cookieOrigins.has(origin ?? '') ? withCookies : withoutCookies)(request, response, next);
  };
}

type Origins = Pick<HttpConfig, 'APP_URL' | 'CORS_ORIGINS' | 'COOKIE_ORIGINS'>;

function allowedOrigins({ APP_URL, CORS_ORIGINS, COOKIE_ORIGINS }: Origins): string[] {
  return [...new Set([new URL(APP_URL).origin, ...CORS_ORIGINS, ...COOKIE_ORIGINS])];
}

const MOST_TOLD = 100;

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
    if (origin === undefined || settled.has(origin) || settled.size > MOST_TOLD) return;
    if (!URL.canParse(origin) || new URL(origin).origin !== origin || new URL(origin).host === host) return;
    settled.add(origin);
    log.notice('cors.refused', { origin, variable: 'CORS_ORIGINS' });
  };
}
