import { AppError } from '@gatehouse/auth-core';
import { findCredentialById } from '@gatehouse/db';
import type { Context } from '../../core/app/context.js';
import { finishSignIn, type OpenedSession } from './finish-sign-in.js';

/**
 * Signs in somebody who has just registered with a password. The row is read after it was committed: if the password is
 * another by then, the member was taken over, and whoever registered gets no session.
 * @throws {AppError} `invalid_credentials`, and as `finishSignIn`
 */
export async function signInNewcomer(
  ctx: Context,
  { memberId, passwordHash }: { memberId: number; passwordHash: string },
): Promise<OpenedSession> {
  const member = await findCredentialById(ctx.services.db, memberId);
  if (!member) throw new AppError('internal', { detail: 'a member just made is not there' });
  if (member.password !== passwordHash) throw new AppError('invalid_credentials');
  return finishSignIn(ctx, member, { kind: 'session', methods: ['pwd'] });
}
