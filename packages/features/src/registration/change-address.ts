import { emailKey } from '@gatehouse/auth-core';
import { type AccessTransaction, findMemberAddress, setPendingAddress } from '@gatehouse/db';
import type { Services } from '../core/context.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';
import { queueActivation } from './queue-activation.js';

/**
 * Starts a change of a member's address: the new address is asked to confirm, the old one is notified. Until
 * then nothing changes, and a password reset by the old address cancels the change.
 *
 * @returns false if the member is gone
 */
export async function changeAddress(
  tx: AccessTransaction,
  services: Pick<Services, 'cipher' | 'config' | 'limits' | 'now' | 'tokens'>,
  { memberId, email }: { memberId: number; email: string },
): Promise<boolean> {
  const nowMs = services.now();
  const isPending = await setPendingAddress(tx, {
    memberId,
    email,
    emailKey: emailKey(email),
    awaits: null,
    nowMs,
  });
  if (!isPending) return false;
  await queueActivation(tx, services, { memberId, email });
  const present = await findMemberAddress(tx, memberId);
  if (present !== undefined && present.email !== null) {
    await queueMail(tx, services, {
      kind: 'addressChanging',
      to: present.email,
      memberId,
      share: 'staff',
      data: { atMs: nowMs, link: appLink(services.config, 'forgot') },
    });
  }
  return true;
}
