import { createServerClient } from '@gatehouse/client-sdk/server';
import { type NextRequest, NextResponse } from 'next/server';
import { GATEHOUSE_URL } from './gatehouse';

/** Before each page: refreshes the session, because a page that renders cannot set its cookie. */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const response = NextResponse.next();
  const gatehouse = createServerClient({
    url: GATEHOUSE_URL,
    cookies: {
      get: (name) => request.cookies.get(name),
      set: (name, value, options) => response.cookies.set(name, value, options),
    },
  });
  await gatehouse.refresh();
  return response;
}

export const config = { matcher: ['/((?!_next/|favicon.ico).*)'] };
