import { randomInt } from 'node:crypto';
import { randomToken } from '@gatehouse/auth-core';
import { type Database, insertMailedCode, type NewMailedCode } from '@gatehouse/db';
import type { Services } from '../../core/app/services.js';
import { signInLink } from '../../mail/app-link.js';
import { type MailedPart, mailedPartDigests, mailedPartKey } from './email-proof.js';

const LIFE_MINUTES = 10;

/** The mail of a sign-in, and the rows by which its code and its link are checked. */
export interface SignInMail {
  readonly codes: readonly NewMailedCode[];
  readonly data: { readonly code: string; readonly link: string; readonly minutes: number };
}

/**
 * Makes the code and the link of a sign-in by mail, which count with the flow alone.
 * @param recipient `memberId` is whose codes they are, and nobody's if it is negative
 */
export function makeSignInMail(
  services: Pick<Services, 'cipher' | 'config' | 'now'>,
  flowId: string,
  { memberId, emailKey }: { readonly memberId: number; readonly emailKey: string },
): SignInMail {
  const code = String(randomInt(10 ** 8)).padStart(8, '0');
  const token = randomToken();
  const nowMs = services.now();
  const expiresAtMs = nowMs + LIFE_MINUTES * 60_000;
  const stored = (part: MailedPart, text: string) => {
    const boundKey = mailedPartKey(flowId, part);
    const [digest] = mailedPartDigests(services, { text, emailKey, boundKey });
    return { boundKey, memberId, digest, nowMs, expiresAtMs, pauseMs: 0 };
  };
  return {
    codes: [stored('code', code), stored('token', token)],
    data: { code, link: signInLink(services.config, token), minutes: LIFE_MINUTES },
  };
}

/** Stores the code and the link of a mail. False if another request of the same flow stored its own at the same time. */
export async function storeSignInCodes(tx: Database, { codes }: SignInMail): Promise<boolean> {
  for (const code of codes) if (!(await insertMailedCode(tx, code))) return false;
  return true;
}
