import cors from 'cors';
import type { HttpConfig } from './http-config.js';

/** CORS by allow-list: only the origins of `CORS_ORIGINS` and of the front end are answered. */
export function createCors(config: Pick<HttpConfig, 'APP_URL' | 'CORS_ORIGINS' | 'TOKEN_HEADER_KEY'>) {
  return cors({
    origin: [...new Set([new URL(config.APP_URL).origin, ...config.CORS_ORIGINS])],
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
