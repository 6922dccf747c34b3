import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createCors, createOriginNotice } from './cors.js';

function told(NODE_ENV: string, headers: readonly Record<string, string>[]): unknown[] {
  const notices: unknown[] = [];
  const origins = { CORS_ORIGINS: ['http://localhost:5173'], COOKIE_ORIGINS: [] };
  const config = { NODE_ENV, APP_URL: 'http://127.0.0.1:4000', ...origins };
  const notice = createOriginNotice(config, { notice: (...all) => void notices.push(all) });
  for (const each of headers) notice({ headers: each } as unknown as IncomingMessage);
  return notices;
}

const host = '127.0.0.1:4000';
const origin = 'http://localhost:8080';
const refused = ['cors.refused', { origin, variable: 'CORS_ORIGINS' }];

it('a page that may not call is logged once, with the variable that would allow it', () => {
  expect(
    told('development', [
      { origin, host },
      { origin, host },
    ]),
  ).toEqual([refused]);
});

it('pages that may call, our own pages, and values that are not an origin are not logged', () => {
  const quiet = ['http://localhost:5173', 'http://127.0.0.1:4000', 'null', 'http://x/y', 'a\nb'];
  expect(told('development', [...quiet.map((each) => ({ origin: each, host })), { host }])).toEqual([]);
});

it('nothing that a caller wrote about its origin is logged in production', () => {
  expect(told('production', [{ origin, host }])).toEqual([]);
});

it('requests without an origin get the same headers as from the cors package', () => {
  const config = {
    APP_URL: 'http://127.0.0.1:4000',
    CORS_ORIGINS: [],
    COOKIE_ORIGINS: ['https://app.example.test'],
    TOKEN_HEADER_KEY: 'Token',
  };
  const headersOf = (headers: IncomingMessage['headers']) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', headers });
    const response = new ServerResponse(request);
    createCors(config)(request, response, () => undefined);
    return response.getHeaders();
  };
  // An empty origin is on no list, and goes through the package.
  expect(headersOf({})).toEqual(headersOf({ origin: '' }));
  expect(headersOf({})).toHaveProperty('vary', 'Origin');
});

it('listed pages may send the headers of tracing libraries, and other pages may not', () => {
  const config = {
    APP_URL: 'http://127.0.0.1:4000',
    CORS_ORIGINS: ['https://shop.example.test'],
    COOKIE_ORIGINS: ['https://app.example.test'],
    TOKEN_HEADER_KEY: 'Token',
  };
  const allowed = (origin: string) => {
    const request = Object.assign(new IncomingMessage(new Socket()), {
      method: 'OPTIONS',
      headers: { origin },
    });
    const response = new ServerResponse(request);
    createCors(config)(request, response, () => undefined);
    return [
      response.getHeader('access-control-allow-origin'),
      String(response.getHeader('access-control-allow-headers')).toLowerCase().split(','),
    ];
  };
  const tracing = expect.arrayContaining([
    'traceparent',
    'tracestate',
    'baggage',
    'sentry-trace',
    'b3',
    'x-datadog-trace-id',
  ]);
  for (const origin of ['https://shop.example.test', 'https://app.example.test'])
    expect(allowed(origin)).toEqual([origin, tracing]);
  expect(allowed('https://evil.test')[0]).toBeUndefined();
});
