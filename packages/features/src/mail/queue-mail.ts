import { emailKey, randomId, sha256Hex } from '@gatehouse/auth-core';
import { type Database, insertMail } from '@gatehouse/db';
import type { Kit } from '../app/kit.js';
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
  kit: Pick<Kit, 'cipher' | 'limits' | 'now'>,
  request: MailRequest<Name>,
): Promise<boolean> {
  if (!(await takeMailShare(tx, kit, request))) return false;
  await writeMail(tx, kit, request);
  return true;
}

/** Counts a mail towards the share its address has of its kind; false when that is used up for now. */
export async function takeMailShare(
  tx: Database,
  kit: Pick<Kit, 'limits'>,
  { kind, to }: { kind: MailKindName; to: string },
): Promise<boolean> {
  const { mostPerHour } = MAIL_KINDS[kind];
  const key = mailLimitKey(kind, to);
  const { isTaken } = await kit.limits.take({ key, most: mostPerHour, windowMs: HOUR_MS }, tx);
  return isTaken;
}

/** Writes a mail that `takeMailShare` has counted. */
export async function writeMail<Name extends MailKindName>(
  tx: Database,
  kit: Pick<Kit, 'cipher' | 'now'>,
  request: MailRequest<Name>,
): Promise<void> {
  const { kind, to, data, memberId = null, isVoid = false } = request;
  const { subject, ...body } = renderMail(MAIL_KINDS[kind].compose(data));
  const idempotencyKey = randomId();
  await insertMail(tx, {
    idempotencyKey,
    kind,
    memberId: isVoid ? null : memberId,
    recipient: isVoid ? '' : to,
    subject,
    ...sealMailBody(kit.cipher, idempotencyKey, body),
    state: isVoid ? 'void' : 'pending',
    nowMs: kit.now(),
  });
}

/** The counter of one kind of mail to one address. */
export function mailLimitKey(kind: MailKindName, to: string): string {
  return `mail:${kind}:${sha256Hex(emailKey(to))}`;
}
