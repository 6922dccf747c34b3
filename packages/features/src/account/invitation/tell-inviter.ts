import { type Database, findMember, findMemberAddress, type InvitationRow } from '@gatehouse/db';
import type { Services } from '../../core/context.js';
import { personName } from '../../core/member-view.js';
import { mailName } from '../../mail/mail-name.js';
import { queueMail } from '../../mail/queue-mail.js';

/** Notifies the inviter that the invited person has joined. */
export async function tellInviter(
  tx: Database,
  services: Services,
  { inviterId, email }: InvitationRow,
  { memberId, accountName }: { memberId: number; accountName: string },
): Promise<void> {
  const inviter = await findMemberAddress(tx, inviterId);
  const member = await findMember(tx, memberId);
  if (inviter === undefined || inviter.email === null || inviter.emailConfirmedAtMs === null) return;
  await queueMail(tx, services, {
    kind: 'invitationAccepted',
    to: inviter.email,
    memberId: inviterId,
    data: {
      memberName: member && mailName(personName(member)),
      email,
      accountName: mailName(accountName),
      atMs: services.now(),
    },
  });
}
