import { type Context, checkPassword, findCaller } from '@gatehouse/api-kit';
import { AppError } from '@gatehouse/auth-core';
import { findCredentialById, type OwnerProof } from '@gatehouse/db';

/**
 * What somebody who proves an address shows of having set the member up: the password, or a session that the member began
 * themselves. Undefined for a bare click, which says only that somebody reads the mailbox.
 *
 * @throws {AppError} as `checkPassword` does, for a password that is not the member's
 */
export async function findOwnerProof(
  ctx: Context,
  { memberId, password }: { memberId: number; password: string | undefined },
): Promise<OwnerProof | undefined> {
  if (password !== undefined) {
    const member = await findCredentialById(ctx.kit.db, memberId);
    const checked = await checkPassword(ctx, member?.sid ?? '', password);
    if (checked.id !== memberId) throw new AppError('invalid_credentials');
    return { password: checked.password };
  }
  const caller = await findCaller(ctx, ctx.kit.access);
  if (caller?.memberId !== memberId || caller.session.partnerId !== undefined) return undefined;
  return { sessionEpoch: caller.member.sessionEpoch };
}
