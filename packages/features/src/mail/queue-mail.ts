import { emailKey, randomId, sha256Hex } from '@gatehouse/auth-core';
import { type Database, findMemberLocale, insertMail, type Locale } from '@gatehouse/db';
import type { AskedFrom } from '../app/asked-from.js';
import { LOCALES } from '../app/locales.js';
import { productName } from '../app/product-name.js';
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
  /** The language for a recipient who is not a member. A member's own takes precedence. */
  readonly locale?: Locale;
  /**
   * Writes everything and delivers nothing. It is used for an unknown address, so that the response time does
   * not reveal it.
   */
  readonly isVoid?: boolean;
}

const HOUR_MS = 3_600_000;
/** No member has this id. A mail to nobody runs the same reads as one to a member. */
const NOBODY = Number.MAX_SAFE_INTEGER;

/**
 * Writes a mail in the caller's transaction, in its recipient's language. The `mail` job delivers it; call
 * `services.wakeups.wake('mail')` after the commit to deliver at once. Text and HTML are encrypted, because
 * they may contain one-use links and passwords.
 * @returns false if the address has reached the limit for this kind, and nothing was written
 */
export async function queueMail<Name extends MailKindName>(
  tx: Database,
  services: Pick<Services, 'cipher' | 'config' | 'limits' | 'now'>,
  request: MailRequest<Name>,
): Promise<boolean> {
  if (!(await consumeMailLimit(tx, services, request))) return false;
  await writeMail(tx, services, request);
  return true;
}

/**
 * Counts a mail against its address's limit for the kind; false when that is used up.
 * @param share counts those apart that are asked for with a known device or from a known network
 */
export async function consumeMailLimit(
  tx: Database,
  services: Pick<Services, 'limits'>,
  { kind, to, share }: { kind: MailKindName; to: string; share?: AskedFrom },
): Promise<boolean> {
  const { mostPerHour } = MAIL_KINDS[kind];
  const key = `${mailLimitKey(kind, to)}${share === undefined ? '' : `:${share}`}`;
  const { isAllowed } = await services.limits.consume({ key, most: mostPerHour, windowMs: HOUR_MS }, tx);
  return isAllowed;
}

/** Writes a mail already counted by `consumeMailLimit`, and returns its id. */
export async function writeMail<Name extends MailKindName>(
  tx: Database,
  services: Pick<Services, 'cipher' | 'now'> & Partial<Pick<Services, 'config'>>,
  request: MailRequest<Name>,
): Promise<number> {
  const { kind, to, data, memberId = null, isVoid = false } = request;
  const locale = (await findMemberLocale(tx, memberId ?? NOBODY)) ?? request.locale ?? LOCALES[0];
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

/** The counter of one kind of mail to one address. */
export function mailLimitKey(kind: MailKindName, to: string): string {
  return `mail:${kind}:${sha256Hex(emailKey(to))}`;
}
