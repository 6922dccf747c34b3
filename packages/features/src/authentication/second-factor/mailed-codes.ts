import { randomInt } from 'node:crypto';
import { emailKey } from '@gatehouse/auth-core';
import { type Database, insertMailedCode } from '@gatehouse/db';
import type { AskedFrom } from '../../core/app/asked-from.js';
import type { Services } from '../../core/app/services.js';
import { consumeMailLimit, storeHeldMail } from '../../mail/limit-mails.js';
import { writeMail } from '../../mail/queue-mail.js';

const LIFE_MINUTES = 10;
/** A request this soon after the last one makes no new code. */
const PAUSE_MS = 60_000;

/** A code, whom and where it was mailed to, and for which challenge or session. */
interface MailedCode {
  readonly memberId: number;
  readonly emailKey: string;
  readonly boundKey: string;
  readonly code: string;
}

/**
 * The stored form of a mailed code, under the current data key and each previous one. It is bound to the address, so that
 * a code from an old mailbox proves nothing of a new one.
 */
export function mailedCodeDigests(
  { cipher }: Pick<Services, 'cipher'>,
  { memberId, emailKey: address, boundKey, code }: MailedCode,
): readonly [string, ...string[]] {
  return cipher.digests(code, `mailedCode:${memberId}:${boundKey}:${address}`);
}

/** Whom a code is mailed to, and for which challenge or session. */
export interface CodeRequest {
  readonly memberId: number;
  readonly boundKey: string;
  readonly to: string;
  readonly askedFrom: AskedFrom;
}

/**
 * Mails a code of eight digits that proves the mailbox to one challenge or session, once, within ten minutes. Count
 * the request first (`limitMailRequests`), and wake the mail job after the commit.
 */
export async function queueCode(
  tx: Database,
  services: Services,
  { memberId, boundKey, to, askedFrom: share }: CodeRequest,
): Promise<void> {
  const code = String(randomInt(10 ** 8)).padStart(8, '0');
  const [digest] = mailedCodeDigests(services, { memberId, emailKey: emailKey(to), boundKey, code });
  const mail = { kind: 'mailedCode', to, memberId, share, data: { code, minutes: LIFE_MINUTES } } as const;
  const nowMs = services.now();
  const expiresAtMs = nowMs + LIFE_MINUTES * 60_000;
  const stored = { boundKey, memberId, digest, nowMs, expiresAtMs, pauseMs: PAUSE_MS };
  // An address at its mail limit keeps the codes it has.
  if (!(await consumeMailLimit(tx, services, mail))) return void (await storeHeldMail(tx, services, mail));
  if (await insertMailedCode(tx, stored)) await writeMail(tx, services, mail);
}
