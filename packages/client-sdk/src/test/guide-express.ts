import { createServerClient, requestCookies } from '@gatehouse/client-sdk/server';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';

/** The client of a request. It throws for forms of other sites. */
export function gatehouseOf(request: ExpressRequest, response: ExpressResponse) {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const address = `${request.protocol}://${request.get('host')}`;
  const { get } = requestCookies(new Request(address, { method: request.method, headers }), new Headers());
  return createServerClient({
    url: process.env['GATEHOUSE_URL'] ?? 'http://127.0.0.1:4000',
    cookies: {
      get,
      // Seconds here, milliseconds in Express.
      set: (name, value, { maxAge, ...options }) =>
        response.cookie(name, value, maxAge === undefined ? options : { ...options, maxAge: maxAge * 1000 }),
    },
    visitor: { address: request.ip ?? null, userAgent: request.get('user-agent') ?? null },
  });
}
