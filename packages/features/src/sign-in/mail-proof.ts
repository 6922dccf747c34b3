import { TOKEN_LIVES_SECONDS } from '@gatehouse/auth-core';
import { type Database, insertMailedCodes, type MemberAddress } from '@gatehouse/db';
import type { AskedFrom } from '../app/asked-from.js';
import { beginFlow } from '../app/flow.js';
import type { Services } from '../app/services.js';
import { consumeMailLimit, storeHeldMail } from '../mail/limit-mails.js';
import { queueMail, writeMail } from '../mail/queue-mail.js';
import { resetLink } from '../password/reset-link.js';
import { makeSignInMail } from './sign-in-mail.js';

/**
 * Mails a signed-in member how to prove their address: a code and a link to sign in with or, where sign-in by mail is
 * switched off, a link to set a password. Does not mail more than the limits of these mails allow.
 * @returns the flow with which the code and the link count, for the caller's browser alone; undefined for a reset
 */
export async function mailProof(
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
