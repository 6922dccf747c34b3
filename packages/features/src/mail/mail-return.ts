import type { Database, ReturningHolder } from '@gatehouse/db';
import type { AskedFrom } from '../app/asked-from.js';
import type { Services } from '../app/services.js';
import { queueMail } from './queue-mail.js';
import { restoreLink } from './restore-link.js';

/** Mails a link to come back to somebody who deleted themselves. Only their mailbox learns that they did. */
export async function mailReturn(
  tx: Database,
  services: Services,
  { deleted: { id: memberId, email: to, erasesAtMs }, share }: { deleted: ReturningHolder; share: AskedFrom },
): Promise<void> {
  const data = { erasesAtMs, link: restoreLink(services, { memberId, erasesAtMs }) };
  await queueMail(tx, services, { kind: 'comeBack', to, memberId, share, data });
}
