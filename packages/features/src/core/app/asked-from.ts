import type { Context } from './context.js';
import { hasKnownDeviceId } from './known-device.js';
import { familiarBucket } from './login-limits.js';

/** How much is known of who asks for a mail: each has its own hourly limit for one address. */
export type AskedFrom = 'device' | 'network' | 'elsewhere';

/**
 * Where a call asks for the mail of a sign-in from. A stranger can use up the mails of places that the member never
 * signed in from, and of no other. An unknown member costs the same look-ups.
 */
export async function askedFrom(ctx: Context, memberId: number | undefined): Promise<AskedFrom> {
  if (await hasKnownDeviceId(ctx, memberId)) return 'device';
  return (await familiarBucket(ctx, memberId)) === '' ? 'elsewhere' : 'network';
}
