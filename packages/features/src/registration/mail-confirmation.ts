import { AppError } from '@gatehouse/auth-core';
import { type Database, findMemberAddress } from '@gatehouse/db';
import type { Services } from '../core/context.js';
import { awaitedEnds } from '../core/member-view.js';
import { queueActivation } from './queue-activation.js';

/** Whether a mail went out, and to which address. */
export interface ConfirmationMail {
  /** Null where nothing has to be confirmed. */
  readonly email: string | null;
  readonly isQueued: boolean;
}

/**
 * Writes the mail that asks a member to prove the address they have yet to prove.
 * @param sessionId the session that asks for it, which stays open when a first address is proved
 * @throws {AppError} `not_found`, `no_address`
 */
export async function mailConfirmation(
  tx: Database,
  services: Services,
  { memberId, sessionId, share }: { memberId: number; sessionId?: number | undefined; share?: 'staff' },
): Promise<ConfirmationMail> {
  const address = await findMemberAddress(tx, memberId);
  if (!address) throw new AppError('not_found');
  if (address.email === null && address.pendingEmail === null) throw new AppError('no_address');
  const isAwaited = awaitedEnds(address).includes('new');
  const present = address.emailConfirmedAtMs === null ? address.email : null;
  const email = isAwaited ? address.pendingEmail : present;
  if (email === null) return { email, isQueued: false };
  const keep = address.email === null ? sessionId : undefined;
  return {
    email,
    isQueued: await queueActivation(tx, services, { memberId, email, sessionId: keep, share }),
  };
}

/** The answer once that is committed: the same for a mail that was held. */
export function confirmationAnswer(
  services: Pick<Services, 'wakeups'>,
  { email }: ConfirmationMail,
): { message: string; alreadyConfirmed: boolean } {
  if (email === null) return { message: 'The address is confirmed', alreadyConfirmed: true };
  services.wakeups.wake('mail');
  return { message: 'The mail is on its way', alreadyConfirmed: false };
}
