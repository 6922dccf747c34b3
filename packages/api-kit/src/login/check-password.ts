import { AppError, emailKey, isPasswordHash } from '@gatehouse/auth-core';
import { type Credential, findCredential, setPasswordHash } from '@gatehouse/db';
import type { Context } from '../context.js';

/**
 * The member whose login name and password these are. Unknown, wrong, deleted and archived are one
 * answer, and cost one comparison each.
 * @throws {AppError} `invalid_credentials`
 */
export async function checkPassword(ctx: Context, login: string, password: string): Promise<Credential> {
  const { db, log, passwords, roles } = ctx.kit;
  const found = await findCredential(db, emailKey(login));
  const credential = found && (await withHashedPassword(ctx, found));
  const matches = await passwords.verify(password, credential?.password);
  const isOpen = credential !== undefined && !credential.isDeleted && credential.roleType !== roles.id.archived;
  if (!matches || !isOpen) {
    log.security({
      event: 'login.failed',
      requestId: ctx.call.requestId,
      address: ctx.call.address,
      memberId: credential?.id,
      reason: 'invalid_credentials',
    });
    throw new AppError('invalid_credentials');
  }
  return credential;
}

/**
 * Rows of the replaced system may hold plain text. Such a row is hashed in place before its owner's
 * password is compared, so that nothing but bcrypt ever compares one.
 */
async function withHashedPassword(ctx: Context, credential: Credential): Promise<Credential> {
  if (isPasswordHash(credential.password)) return credential;
  const hash = await ctx.kit.passwords.hash(credential.password);
  const isSet = await setPasswordHash(ctx.kit.db, credential.id, credential.password, hash);
  if (isSet) return { ...credential, password: hash };
  return (await findCredential(ctx.kit.db, credential.sidKey)) ?? credential;
}
