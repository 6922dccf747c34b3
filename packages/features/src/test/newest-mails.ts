import { listNewestMails } from '@gatehouse/db/queries/list-mails';
import type { Services } from '../core/context.js';
import { openMail } from '../mail/queue-mail.js';

/** The newest mails as their recipients get them, where a service has no outbox. */
export async function newestMails({
  services,
}: {
  readonly services: Services;
}): Promise<{ kind: string; to: string; text: string }[]> {
  const rows = await listNewestMails(services.db, 10);
  return rows.map((row) => ({
    kind: row.kind,
    to: row.recipient,
    text: row.text === '' ? '' : openMail(services.cipher, row.idempotencyKey, row).text,
  }));
}

/** The subjects of the mails to an address whose content is still stored, oldest first. */
export async function mailSubjects(
  { services }: { readonly services: Services },
  to: string,
): Promise<string[]> {
  const { db, cipher } = services;
  const rows = await db.select().from(db.tables.mailOutbox);
  return rows
    .filter(({ recipient, text }) => recipient === to && text !== '')
    .map((row) => openMail(cipher, row.idempotencyKey, row).subject);
}
