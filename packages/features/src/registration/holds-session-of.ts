import type { AccessReader } from '../access/access-reader.js';
import { findCaller } from '../app/caller.js';
import type { Context } from '../app/context.js';

/**
 * Whether a call comes with a live session that the member began themselves. One that a partner began proves nothing: the
 * partner has seen its token.
 */
export async function holdsSessionOf(ctx: Context, access: AccessReader, memberId: number): Promise<boolean> {
  const caller = await findCaller(ctx, access);
  return caller?.memberId === memberId && caller.session.partnerId === undefined;
}
