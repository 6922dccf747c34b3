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
