import type { Database } from '@gatehouse/db';
import type { Services } from '../app/services.js';
import { queueMail } from '../mail/queue-mail.js';
import { approvalLink } from './approval-link.js';

/**
 * Writes the mail that asks the present mailbox to agree to a change of address.
 * @param sinceMs when the change was requested, which identifies it
 * @returns false if the address has reached the limit of such mails
 */
export async function queueApproval(
  tx: Database,
  services: Services,
  { memberId, to, sinceMs }: { memberId: number; to: string; sinceMs: number },
): Promise<boolean> {
  const data = { link: approvalLink(services, { memberId, sinceMs }) };
  return queueMail(tx, services, { kind: 'addressApproval', to, memberId, data });
}
