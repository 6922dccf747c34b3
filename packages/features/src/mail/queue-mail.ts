import { type DataCipher, emailKey, randomId } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findMailReader } from '@gatehouse/db/queries/list-mails';
import { insertMail, lockMergedMail, setMergedMail } from '@gatehouse/db/queries/mail-queue';
import { findMember } from '@gatehouse/db/queries/read-members';
import type { Locale } from '@gatehouse/db/tables/member-tables';
import type { Services } from '../core/context.js';
import { LOCALES } from '../core/member-view.js';
import { appLink } from './app-link.js';
import { consumeMailLimit, type LimitedMail, NOBODY, storeHeldMail } from './limit-mails.js';
import { mailBrand } from './mail-brand.js';
import { MAIL_KINDS, type MailData, type MailKindName } from './mail-kinds.js';
import { type RenderedMail, renderMail } from './render-mail.js';

/** A mail as stored, bound to its idempotency key. */
function sealMail(cipher: DataCipher, idempotencyKey: string, mail: RenderedMail): RenderedMail {
  return {
    subject: cipher.seal(mail.subject, contextOf(idempotencyKey, 'subject')),
    text: cipher.seal(mail.text, contextOf(idempotencyKey, 'text')),
    html: cipher.seal(mail.html, contextOf(idempotencyKey, 'html')),
  };
}

/** @throws {SealedDataRefused} if it was stored for another mail or under an unknown key */
export function openMail(cipher: DataCipher, idempotencyKey: string, sealed: RenderedMail): RenderedMail {
  return {
    subject: cipher.open(sealed.subject, contextOf(idempotencyKey, 'subject')),
    text: cipher.open(sealed.text, contextOf(idempotencyKey, 'text')),
    html: cipher.open(sealed.html, contextOf(idempotencyKey, 'html')),
  };
}

function contextOf(idempotencyKey: string, part: keyof RenderedMail): string {
  return `mail:${idempotencyKey}:${part}`;
}

/** How long a mail collects notices before it leaves, in milliseconds. */
const COLLECTING_MS = 10 * 60_000;

/** Instead of names that people choose: there could be any number of them, and what is counted is stored as it is. */
const NAMELESS = {
  accountName: undefined,
  application: undefined,
  keyName: undefined,
  machineName: undefined,
  memberName: undefined,
};

/**
 * Adds a notice to the mail that collects those above the bound, which names how often each subject occurred.
 * @returns false for other mails, and for an address that the member did not confirm
 */
async function mergeNotice<Name extends MailKindName>(
  tx: Database,
  services: Pick<Services, 'cipher' | 'config' | 'now'>,
  notice: { kind: Name; to: string; memberId?: number; data: MailData[Name]; isFormer?: boolean },
): Promise<boolean> {
  const { kind, to, memberId, data, isFormer = false } = notice;
  if (MAIL_KINDS[kind].countedAs !== 'notice') return false;
  const reader = memberId === undefined ? undefined : await findMailReader(tx, memberId);
  if (memberId === undefined || reader === undefined) return false;
  if (!isFormer && reader.confirmedKey !== emailKey(to)) return false;
  const nowMs = services.now();
  const reading = { locale: reader.locale, brand: mailBrand(services.config) };
  const { subject: event } = renderMail(MAIL_KINDS[kind], { ...data, ...NAMELESS }, reading);
  const open = await lockMergedMail(tx, { memberId, recipient: to, nowMs });
  const merged = { ...open?.merged, [event]: (open?.merged?.[event] ?? 0) + 1 };
  const content = { events: Object.entries(merged), link: appLink(services.config, 'forgot') };
  const mail = renderMail(MAIL_KINDS.moreNotices, content, reading);
  const idempotencyKey = open?.idempotencyKey ?? randomId();
  const sealed = { ...sealMail(services.cipher, idempotencyKey, mail), merged };
  if (open) await setMergedMail(tx, open.id, sealed);
  else
    await insertMail(tx, {
      ...sealed,
      idempotencyKey,
      kind: 'moreNotices',
      memberId,
      recipient: to,
      state: 'pending',
      dueAtMs: nowMs + COLLECTING_MS,
      nowMs,
    });
  return true;
}

/** A mail to somebody. */
interface MailRequest<Name extends MailKindName> extends LimitedMail {
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
 * `services.wakeups.wake('mail')` after the commit to deliver at once. Subject, text and HTML are encrypted, because
 * they may contain one-use links and passwords, and the names of others, who may be erased before the mail is.
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
  const mail = renderMail(MAIL_KINDS[kind], data, {
    locale,
    brand: mailBrand(services.config),
  });
  const idempotencyKey = randomId();
  return insertMail(tx, {
    idempotencyKey,
    kind,
    memberId: isVoid ? null : memberId,
    recipient: isVoid ? '' : to,
    ...sealMail(services.cipher, idempotencyKey, mail),
    state: isVoid ? 'void' : 'pending',
    nowMs: services.now(),
  });
}

/** Writes a mail to a member in the caller's transaction, if they have an address. */
export async function tellMember<Name extends MailKindName>(
  tx: Database,
  services: Pick<Services, 'cipher' | 'config' | 'limits' | 'now'>,
  { kind, memberId, data }: { kind: Name; memberId: number; data: MailData[Name] },
): Promise<void> {
  const member = await findMember(tx, memberId);
  if (!member || member.isDeleted || member.email === null) return;
  const { email } = member;
  await queueMail(tx, services, { kind, to: email, memberId, data });
}
