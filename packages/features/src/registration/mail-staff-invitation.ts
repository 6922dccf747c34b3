import { TOKEN_LIVES_SECONDS } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import type { Services } from '../core/context.js';
import { type ResetSubject, resetLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';

/**
 * Writes the mail that invites somebody to the staff. Its link sets their password and confirms the address, once.
 * @returns false when the address has reached its limit of such mails
 */
export function mailStaffInvitation(
  tx: AccessTransaction,
  services: Services,
  person: ResetSubject,
  { endedSignIns = false }: { endedSignIns?: boolean } = {},
): Promise<boolean> {
  const { config } = services;
  const seconds = TOKEN_LIVES_SECONDS.staffInvitation;
  return queueMail(tx, services, {
    kind: 'staffInvitation',
    to: person.email,
    memberId: person.id,
    data: {
      link: resetLink(services, person, seconds),
      hours: seconds / 3600,
      endedSignIns,
      ...(config.CONSOLE ? { console: `${config.BASE_URL}/console/` } : {}),
    },
  });
}
