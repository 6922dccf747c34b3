import type { Database } from '@gatehouse/db';
import type { Services } from '../../core/context.js';
import { appLink } from '../../mail/app-link.js';
import { queueMail } from '../../mail/queue-mail.js';

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

/**
 * A link to the page where the present mailbox answers a change of address.
 * @param sinceMs when the change was requested, which identifies it
 */
export function approvalLink(
  { config, tokens }: Pick<Services, 'config' | 'tokens'>,
  { memberId, sinceMs }: { memberId: number; sinceMs: number },
): string {
  const { token } = tokens.sealOneUse(
    { type: 'emailApproval', userId: memberId, sinceMs },
    config.JWT_EXPIRES_IN,
  );
  return appLink(config, 'email-approval', token);
}
