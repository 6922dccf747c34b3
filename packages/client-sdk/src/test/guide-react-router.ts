import { createServerClient, requestCookies } from '@gatehouse/client-sdk/server';

/** The client of a request, and the headers that its answer needs. It throws for forms of other sites. */
export function gatehouseOf(request: Request) {
  const headers = new Headers();
  const gatehouse = createServerClient({
    url: process.env['GATEHOUSE_URL'] ?? 'http://127.0.0.1:4000',
    cookies: requestCookies(request, headers),
    visitor: {
      address: request.headers.get('x-forwarded-for'),
      userAgent: request.headers.get('user-agent'),
    },
  });
  return { gatehouse, headers };
}
