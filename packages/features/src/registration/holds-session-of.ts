import type { AccessReader } from '../core/access/access-reader.js';
import type { Context } from '../core/context.js';
import { findCaller } from '../core/guard/caller.js';

/**
 * Whether a call has a live session of the member that no partner began. A partner's session proves nothing,
 * because the partner has seen its token.
 */
export async function holdsSessionOf(ctx: Context, access: AccessReader, memberId: number): Promise<boolean> {
  const caller = await findCaller(ctx, access);
  return caller?.memberId === memberId && caller.session.partnerId === undefined;
}
