import { type Database, findMember } from '@gatehouse/db';
import type { Services } from '../../core/context.js';
import type { MailData, MailKindName } from '../../mail/mail-kinds.js';
import { queueMail } from '../../mail/queue-mail.js';

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
