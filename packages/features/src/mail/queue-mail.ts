import { emailKey, randomId, sha256Hex } from '@gatehouse/auth-core';
import { type Database, findMemberLocale, insertMail, type Locale } from '@gatehouse/db';
import { LOCALES } from '../app/locales.js';
import type { Services } from '../app/services.js';
import { sealMailBody } from './mail-body.js';
import { MAIL_KINDS, type MailData, type MailKindName } from './mail-kinds.js';
import { renderMail } from './render-mail.js';

/** A mail to somebody. */
export interface MailRequest<Name extends MailKindName> {
  readonly kind: Name;
  readonly to: string;
  readonly data: MailData[Name];
  readonly memberId?: number;
  /** The language for somebody who is no member; a member's own goes before it. */
  readonly locale?: Locale;
  /**
   * Writes everything and delivers nothing, to nobody: for an address that is not known, so that the time of an answer
   * does not tell whether it is.
   */
  readonly isVoid?: boolean;
}

const HOUR_MS = 3_600_000;
/** No member has this id: a mail to nobody takes the same reads as one to a member. */
const NOBODY = Number.MAX_SAFE_INTEGER;

/**
 * Writes a mail in the caller's transaction, in the language of the member it is to; the `mail` job delivers it (`services.wakeups.wake('mail')` after the commit
 * makes it do so at once). Text and HTML are encrypted, since they may hold one-use links and passwords.
 *
 * @returns false when the address has had its share of this kind for now, and nothing was written.
 */
export async function queueMail<Name extends MailKindName>(
  tx: Database,
  services: Pick<Services, 'cipher' | 'limits' | 'now'>,
  request: MailRequest<Name>,
): Promise<boolean> {
  if (!(await consumeMailLimit(tx, services, request))) return false;
  await writeMail(tx, services, request);
  return true;
}

/** Counts a mail towards the share its address has of its kind; false when that is used up for now. */
export async function consumeMailLimit(
  tx: Database,
  services: Pick<Services, 'limits'>,
  { kind, to }: { kind: MailKindName; to: string },
): Promise<boolean> {
  const { mostPerHour } = MAIL_KINDS[kind];
  const key = mailLimitKey(kind, to);
  const { isAllowed } = await services.limits.consume({ key, most: mostPerHour, windowMs: HOUR_MS }, tx);
  return isAllowed;
}

/** Writes a mail that `consumeMailLimit` has counted, and returns its id. */
export async function writeMail<Name extends MailKindName>(
  tx: Database,
  services: Pick<Services, 'cipher' | 'now'>,
  request: MailRequest<Name>,
): Promise<number> {
  const { kind, to, data, memberId = null, isVoid = false } = request;
  const locale = (await findMemberLocale(tx, memberId ?? NOBODY)) ?? request.locale ?? LOCALES[0];
  const { subject, ...body } = renderMail(MAIL_KINDS[kind], data, locale);
  const idempotencyKey = randomId();
  return insertMail(tx, {
    idempotencyKey,
    kind,
    memberId: isVoid ? null : memberId,
    recipient: isVoid ? '' : to,
    subject,
    ...sealMailBody(services.cipher, idempotencyKey, body),
    state: isVoid ? 'void' : 'pending',
    nowMs: services.now(),
  });
}

/** The counter of one kind of mail to one address. */
export function mailLimitKey(kind: MailKindName, to: string): string {
  return `mail:${kind}:${sha256Hex(emailKey(to))}`;
}
