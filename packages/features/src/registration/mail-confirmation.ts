import { AppError } from '@gatehouse/auth-core';
import { type Database, findMemberAddress } from '@gatehouse/db';
import { awaitedEnds } from '../app/member-view.js';
import type { Services } from '../app/services.js';
import { mailLimitError } from '../mail/mail-limit-error.js';
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
  { memberId, sessionId }: { memberId: number; sessionId?: number | undefined },
): Promise<ConfirmationMail> {
  const address = await findMemberAddress(tx, memberId);
  if (!address) throw new AppError('not_found');
  if (address.email === null && address.pendingEmail === null) throw new AppError('no_address');
  const isAwaited = awaitedEnds(address).includes('new');
  const present = address.emailConfirmedAtMs === null ? address.email : null;
  const email = isAwaited ? address.pendingEmail : present;
  if (email === null) return { email, isQueued: false };
  const keep = address.email === null ? sessionId : undefined;
  return { email, isQueued: await queueActivation(tx, services, { memberId, email, sessionId: keep }) };
}

/**
 * The answer once that is committed.
 * @throws {AppError} `rate_limited` when the address has had its share
 */
export async function confirmationAnswer(
  services: Services,
  { email, isQueued }: ConfirmationMail,
): Promise<{ message: string; alreadyConfirmed: boolean }> {
  if (email === null) return { message: 'The address is confirmed', alreadyConfirmed: true };
  if (!isQueued)
    throw await mailLimitError(services, { kind: 'activation', to: email, name: 'activation-mail' });
  services.wakeups.wake('mail');
  return { message: 'The mail is on its way', alreadyConfirmed: false };
}
