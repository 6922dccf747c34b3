import { type CookieOptions, createServerClient } from '@gatehouse/client-sdk/server';
import { type NextRequest, NextResponse } from 'next/server';
import { GATEHOUSE_URL, visitorOf } from './gatehouse';

/** Pages for everybody. */
const PUBLIC = new Set(['/sign-in']);

/**
 * Before each page: refreshes the session, because a page that renders cannot set its cookie, and sends visitors without one to
 * sign in. Forms go through: each action asks the service who calls.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const changes: [name: string, value: string, options: CookieOptions][] = [];
  const gatehouse = createServerClient({
    url: GATEHOUSE_URL,
    visitor: visitorOf(request.headers),
    cookies: {
      get: (name) => request.cookies.get(name),
      set: (...change) => changes.push(change),
    },
  });
  await gatehouse.refresh();
  const { pathname } = request.nextUrl;
  const isRefused = request.method === 'GET' && !PUBLIC.has(pathname) && !gatehouse.isSignedIn;
  const response = isRefused ? NextResponse.redirect(new URL('/sign-in', request.url)) : NextResponse.next();
  for (const change of changes) response.cookies.set(...change);
  return response;
}

// Files, such as pictures of the sign-in, are for everybody. Route handlers verify who calls them.
export const config = { matcher: ['/((?!_next/|api/|.*\\.\\w+$).*)'] };
