import { isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
import { createServerClient } from '@gatehouse/client-sdk/server';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';

export const GATEHOUSE_URL = process.env['GATEHOUSE_URL'] ?? 'http://127.0.0.1:4000';

/** Without it all visitors share the limits of this server's address, and one who guesses passwords locks everybody out. */
export const visitorOf = (received: Headers) => ({
  address: received.get('x-forwarded-for'),
  userAgent: received.get('user-agent'),
});

/** The client of this request. Components that render together share it. */
export const gatehouse = cache(async () => {
  const visitor = visitorOf(await headers());
  return createServerClient({ url: GATEHOUSE_URL, cookies: await cookies(), visitor });
});

/** Who is signed in. Everybody else is sent to sign in. */
export const whoIsSignedIn = cache(async (): Promise<MainOutputs['session']['me']> => {
  const { isSignedIn, withAccount } = await gatehouse();
  if (!isSignedIn) redirect('/sign-in');
  try {
    // In no account, so that it also answers for a person who has lost the selected one.
    return await withAccount(null).session.me.query();
  } catch (error) {
    if (isGatehouseError(error, 'unauthorized')) redirect('/sign-in?ended');
    throw error;
  }
});
