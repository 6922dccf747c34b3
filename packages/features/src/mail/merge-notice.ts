import { emailKey, randomId } from '@gatehouse/auth-core';
import { type Database, findMailReader, insertMail, lockMergedMail, setMergedMail } from '@gatehouse/db';
import { productName } from '../core/config.js';
import type { Services } from '../core/context.js';
import { appLink } from './app-link.js';
import { sealMailBody } from './mail-body.js';
import { MAIL_KINDS, type MailData, type MailKindName } from './mail-kinds.js';
import { renderMail } from './render-mail.js';

/** How long a mail collects notices before it leaves, in milliseconds. */
const COLLECTING_MS = 10 * 60_000;

/**
 * Adds a notice to the mail that collects those above the bound, which names how often each subject occurred.
 * @returns false for other mails, and for an address that the member did not confirm
 */
export async function mergeNotice<Name extends MailKindName>(
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
  const reading = { locale: reader.locale, product: productName(services.config) };
  const { subject: event } = renderMail(MAIL_KINDS[kind], data, reading);
  const open = await lockMergedMail(tx, { memberId, recipient: to, nowMs });
  const merged = { ...open?.merged, [event]: (open?.merged?.[event] ?? 0) + 1 };
  const content = { events: Object.entries(merged), link: appLink(services.config, 'forgot') };
  const { subject, ...body } = renderMail(MAIL_KINDS.moreNotices, content, reading);
  const idempotencyKey = open?.idempotencyKey ?? randomId();
  const sealed = { subject, ...sealMailBody(services.cipher, idempotencyKey, body), merged };
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
