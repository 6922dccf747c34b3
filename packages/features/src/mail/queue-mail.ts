import { randomId } from '@gatehouse/auth-core';
import { type Database, findMailReader, insertMail, type Locale } from '@gatehouse/db';
import { productName } from '../core/config.js';
import type { Services } from '../core/context.js';
import { LOCALES } from '../core/member-view.js';
import { consumeMailLimit, type LimitedMail, NOBODY, storeHeldMail } from './limit-mails.js';
import { sealMailBody } from './mail-body.js';
import { MAIL_KINDS, type MailData, type MailKindName } from './mail-kinds.js';
import { mergeNotice } from './merge-notice.js';
import { renderMail } from './render-mail.js';

/** A mail to somebody. */
export interface MailRequest<Name extends MailKindName> extends LimitedMail {
  readonly kind: Name;
  readonly data: MailData[Name];
  /** The language for a recipient who is not a member. A member's own takes precedence. */
  readonly locale?: Locale;
  /**
   * Writes everything and delivers nothing. It is used for an unknown address, so that the response time does
   * not reveal it.
   */
  readonly isVoid?: boolean;
}

/**
 * Writes a mail in the caller's transaction, in its recipient's language. The `mail` job delivers it; call
 * `services.wakeups.wake('mail')` after the commit to deliver at once. Text and HTML are encrypted, because
 * they may contain one-use links and passwords.
 *
 * Above its bound a notice to an address that its member confirmed becomes part of a mail that names how many there
 * were of each. Any other mail is held.
 * @returns false if it was held
 */
export async function queueMail<Name extends MailKindName>(
  tx: Database,
  services: Pick<Services, 'cipher' | 'config' | 'limits' | 'now'>,
  request: MailRequest<Name>,
): Promise<boolean> {
  if (await consumeMailLimit(tx, services, request)) {
    await writeMail(tx, services, request);
    return true;
  }
  if (await mergeNotice(tx, services, request)) return true;
  await storeHeldMail(tx, services, request);
  return false;
}

/** Writes a mail already counted by `consumeMailLimit`, and returns its id. */
export async function writeMail<Name extends MailKindName>(
  tx: Database,
  services: Pick<Services, 'cipher' | 'now'> & Partial<Pick<Services, 'config'>>,
  request: MailRequest<Name>,
): Promise<number> {
  const { kind, to, data, memberId = null, isVoid = false } = request;
  const reader = await findMailReader(tx, memberId ?? NOBODY);
  const locale = reader?.locale ?? request.locale ?? LOCALES[0];
  const { subject, ...body } = renderMail(MAIL_KINDS[kind], data, {
    locale,
    product: productName(services.config),
  });
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
