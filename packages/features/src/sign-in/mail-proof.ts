import { AppError, TOKEN_LIVES_SECONDS } from '@gatehouse/auth-core';
import { type Database, findMemberAddress, insertMailedCodes, type MemberAddress } from '@gatehouse/db';
import { type AskedFrom, askedFrom } from '../app/asked-from.js';
import type { Context } from '../app/context.js';
import { beginFlow } from '../app/flow.js';
import type { Services } from '../app/services.js';
import { consumeMailLimit, storeHeldMail } from '../mail/limit-mails.js';
import { queueMail, writeMail } from '../mail/queue-mail.js';
import { resetLink } from '../password/reset-link.js';
import { makeSignInMail } from './sign-in-mail.js';

/**
 * Makes a change for which the caller must have proven their address. Without a proven address they are refused with
 * `unconfirmed` and get a mail that proves it. The refusal has the flow of that mail.
 */
export async function mailProofIfUnconfirmed<Result>(
  ctx: Context,
  callerId: number,
  change: () => Promise<Result>,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unconfirmed') throw error;
    const { services } = ctx;
    const share = await askedFrom(ctx, callerId);
    const flow = await services.db.transaction(async (tx) => {
      const address = await findMemberAddress(tx, callerId);
      return address && mailProof(tx, services, address, share);
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
  share: AskedFrom,
): Promise<string | undefined> {
  if (email === null || emailKey === null) return undefined;
  if (!services.config.EMAIL_SIGN_IN) {
    const ttlSeconds = TOKEN_LIVES_SECONDS.passwordReset;
    const link = resetLink(services, { id: memberId, email, passwordChangedAtMs }, ttlSeconds);
    const data = { link, minutes: ttlSeconds / 60 };
    await queueMail(tx, services, { kind: 'passwordReset', to: email, memberId, data });
    return undefined;
  }
  const { flow, id } = beginFlow(services, { purpose: 'emailSignIn' });
  const { codes, data } = makeSignInMail(services, id, { memberId, emailKey });
  const mail = { kind: 'signInCode', to: email, memberId, share } as const;
  if (await consumeMailLimit(tx, services, mail)) {
    await insertMailedCodes(tx, codes);
    await writeMail(tx, services, { ...mail, data });
  } else await storeHeldMail(tx, services, mail);
  return flow;
}
