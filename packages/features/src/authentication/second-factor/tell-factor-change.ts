import { type Database, findMember } from '@gatehouse/db';
import { clientName } from '../../core/app/client-name.js';
import type { Context } from '../../core/app/context.js';
import { appLink } from '../../mail/app-link.js';
import type { FactorChange } from '../../mail/kinds/factor-changed.js';
import { queueMail } from '../../mail/queue-mail.js';

/** Mails a member what changed about their second step, in the transaction of the change. */
export async function tellFactorChange(
  tx: Database,
  { services, call }: Context,
  { memberId, change, left }: { memberId: number; change: FactorChange; left?: number },
): Promise<void> {
  const member = await findMember(tx, memberId);
  if (member === undefined || member.email === null) return;
  await queueMail(tx, services, {
    kind: 'factorChanged',
    to: member.email,
    memberId,
    data: {
      change,
      atMs: services.now(),
      device: clientName(call.userAgent),
      link: appLink(services.config, 'forgot'),
      ...(left === undefined ? {} : { left }),
    },
  });
}
