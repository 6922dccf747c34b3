import type { IncomingMessage } from 'node:http';
import type { Logger } from '@gatehouse/runtime/log/log';
import cors from 'cors';
import type { HttpConfig } from './http-config.js';

/** CORS by allow-list: the origins of `CORS_ORIGINS` and of the front end. */
export function createCors(config: Pick<HttpConfig, 'APP_URL' | 'CORS_ORIGINS' | 'TOKEN_HEADER_KEY'>) {
  return cors({
    origin: allowedOrigins(config),
    methods: ['GET', 'POST'],
    allowedHeaders: [
      config.TOKEN_HEADER_KEY,
      'Accountid',
      'Apptype',
      'Authorization',
      'Content-Type',
      'Trpc-Accept',
      'X-Request-Id',
    ],
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'WWW-Authenticate'],
    maxAge: 600,
  });
}

type Origins = Pick<HttpConfig, 'APP_URL' | 'CORS_ORIGINS'>;

function allowedOrigins({ APP_URL, CORS_ORIGINS }: Origins): string[] {
  return [...new Set([new URL(APP_URL).origin, ...CORS_ORIGINS])];
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
