import { AppError, sha256Hex, TOKEN_LIVES_SECONDS } from '@gatehouse/auth-core';
import { type Database, findMemberAddress, type MemberAddress } from '@gatehouse/db';
import { type AskedFrom, askedFrom } from '../../core/app/asked-from.js';
import type { Caller } from '../../core/app/caller.js';
import type { Context } from '../../core/app/context.js';
import { beginFlow, isFlowConsumed } from '../../core/app/flow.js';
import type { Services } from '../../core/app/services.js';
import { sessionKey } from '../../core/app/session-key.js';
import { consumeMailLimit, storeHeldMail } from '../../mail/limit-mails.js';
import { queueMail, writeMail } from '../../mail/queue-mail.js';
import { resetLink } from '../../mail/reset-link.js';
import { makeSignInMail, storeSignInCodes } from './sign-in-mail.js';

/**
 * Makes a change for which the caller must have proven their address. Without a proven address they are refused with
 * `unconfirmed` and get a mail that proves it. The refusal has the flow of that mail.
 */
export async function mailProofIfUnconfirmed<Result>(
  ctx: Context,
  { memberId, session }: Pick<Caller, 'memberId' | 'session'>,
  change: () => Promise<Result>,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unconfirmed') throw error;
    const { services } = ctx;
    const share = await askedFrom(ctx, memberId);
    const flow = await services.db.transaction(async (tx) => {
      const address = await findMemberAddress(tx, memberId);
      return address && mailProof(tx, services, address, { share, sessionKey: sessionKey(session) });
    });
    services.wakeups.wake('mail');
    throw new AppError('unconfirmed', flow === undefined ? {} : { flow });
  }
}

/**
 * Mails a signed-in member how to prove their address: a code and a link to sign in with or, where sign-in by mail is
 * switched off, a link to set a password. Does not mail more than the limits of these mails allow.
 * @returns the flow with which the code and the link count, for the caller's browser alone; undefined for a reset
 */
async function mailProof(
  tx: Database,
  services: Services,
  { id: memberId, email, emailKey, passwordChangedAtMs }: MemberAddress,
  { share, sessionKey: key }: { share: AskedFrom; sessionKey: string },
): Promise<string | undefined> {
  if (email === null || emailKey === null) return undefined;
  if (!services.config.EMAIL_SIGN_IN) {
    const ttlSeconds = TOKEN_LIVES_SECONDS.passwordReset;
    const link = resetLink(services, { id: memberId, email, passwordChangedAtMs }, ttlSeconds);
    const data = { link, minutes: ttlSeconds / 60 };
    await queueMail(tx, services, { kind: 'passwordReset', to: email, memberId, data });
    return undefined;
  }
  // The mails of one session are of one flow, so that the code of each counts in the screen that the last one opened.
  const own = sha256Hex(`proof:${key}:${memberId}:${emailKey}`);
  const earlier = (await isFlowConsumed({ db: tx }, own)) ? undefined : own;
  const { flow, id } = beginFlow(services, { purpose: 'emailSignIn' }, sha256Hex(emailKey), earlier);
  const made = makeSignInMail(services, id, { memberId, emailKey });
  const mail = { kind: 'signInCode', to: email, memberId, share } as const;
  if (await consumeMailLimit(tx, services, mail)) {
    if (await storeSignInCodes(tx, made)) await writeMail(tx, services, { ...mail, data: made.data });
  } else await storeHeldMail(tx, services, mail);
  return flow;
}
