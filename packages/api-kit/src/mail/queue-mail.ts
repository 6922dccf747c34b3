import { emailKey, randomId, sha256Hex } from '@gatehouse/auth-core';
import { type Database, insertMail, takePoint } from '@gatehouse/db';
import type { Kit } from '../kit.js';
import { sealMailBody } from './mail-body.js';
import { MAIL_KINDS, type MailData, type MailKindName } from './mail-kinds.js';
import { renderMail } from './render-mail.js';

/** A mail to somebody. */
export interface MailRequest<Name extends MailKindName> {
  readonly kind: Name;
  readonly to: string;
  readonly data: MailData[Name];
  readonly memberId?: number;
  /**
   * Writes everything and delivers nothing, to nobody: for an address that is not known, so that the time of an answer
   * does not tell whether it is.
   */
  readonly isVoid?: boolean;
}

const HOUR_MS = 3_600_000;

/**
 * Writes a mail in the caller's transaction; the `mail` job delivers it (`kit.wakeups.wake('mail')` after the commit
 * makes it do so at once). Text and HTML are encrypted, since they may hold one-use links and passwords.
 *
 * @returns false when the address has had its share of this kind for now, and nothing was written.
 */
export async function queueMail<Name extends MailKindName>(
  tx: Database,
  kit: Pick<Kit, 'cipher' | 'now'>,
  request: MailRequest<Name>,
): Promise<boolean> {
  const { kind, to, data, memberId = null, isVoid = false } = request;
  const { mostPerHour, compose } = MAIL_KINDS[kind];
  const nowMs = kit.now();
  const isWithinShare = await takePoint(tx, {
    key: mailLimitKey(kind, to),
    most: mostPerHour,
    windowMs: HOUR_MS,
    nowMs,
  });
  if (!isWithinShare) return false;
  const { subject, ...body } = renderMail(compose(data));
  const idempotencyKey = randomId();
  await insertMail(tx, {
    idempotencyKey,
    kind,
    memberId: isVoid ? null : memberId,
    recipient: isVoid ? '' : to,
    subject,
    ...sealMailBody(kit.cipher, idempotencyKey, body),
    state: isVoid ? 'void' : 'pending',
    nowMs,
  });
  return true;
}

/** The counter of one kind of mail to one address. */
export function mailLimitKey(kind: MailKindName, to: string): string {
  return `mail:${kind}:${sha256Hex(emailKey(to))}`;
}
