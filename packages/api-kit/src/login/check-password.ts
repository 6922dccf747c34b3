import { AppError, emailKey, isPasswordHash } from '@gatehouse/auth-core';
import { type Credential, findCredential, setPasswordHash } from '@gatehouse/db';
import type { Context } from '../context.js';
import { countLoginAttempt } from '../limits/login-limits.js';

/**
 * Checks a login name and a password when their turn comes.
 * @throws {AppError} `invalid_credentials`, `rate_limited`, `unavailable`
 */
export function checkPassword(ctx: Context, login: string, password: string): Promise<Credential> {
  return ctx.kit.passwords.admit(() => check(ctx, login, password));
}

/**
 * The member whose login name and password these are. Unknown, wrong, deleted and archived are one
 * answer, and cost one comparison each.
 */
async function check(ctx: Context, login: string, password: string): Promise<Credential> {
  const { db, log, roles } = ctx.kit;
  const loginKey = emailKey(login);
  const found = await findCredential(db, loginKey);
  const attempt = await countLoginAttempt(ctx, { memberId: found?.id, login: loginKey });
  const { credential, matches } = await compare(ctx, found, password).catch(async (error: unknown) => {
    await attempt.takeBack();
    throw error;
  });
  const isOpen =
    credential !== undefined && !credential.isDeleted && credential.roleType !== roles.id.archived;
  if (!matches || !isOpen) {
    const { isLocked } = await attempt.fail();
    const who = {
      requestId: ctx.call.requestId,
      address: ctx.call.address,
      memberId: credential?.id,
      reason: 'invalid_credentials',
    };
    log.security({ event: 'login.failed', ...who });
    if (isLocked && credential !== undefined) log.security({ event: 'login.locked', ...who });
    throw new AppError('invalid_credentials');
  }
  await attempt.succeed();
  return credential;
}

async function compare(ctx: Context, found: Credential | undefined, password: string) {
  const credential = found && (await withHashedPassword(ctx, found));
  const matches = await ctx.kit.passwords.verify(password, credential?.password);
  return { credential, matches };
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
