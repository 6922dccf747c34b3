import { AppError, emailKey } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  DuplicateKeyError,
  findCredential,
  findInvitedPersonnel,
  setInvitedAddress,
} from '@gatehouse/db';
import type { Services } from '../../core/context.js';
import { mailLimitError } from '../../mail/mail-limit-error.js';
import { mailStaffInvitation } from '../../registration/mail-staff-invitation.js';
import { changeAddress } from '../../registration/move-address.js';
import { renewUsername } from '../../registration/usernames.js';

/**
 * Starts a change of a member's address, which takes effect once the new address confirms; the present
 * address is notified. Whoever was invited to the staff and has not joined gets the new address at once, unconfirmed, and an
 * invitation there: the one of before may be a stranger's, who could join by it.
 * @param taken the refusal of an address that somebody else has
 * @throws {AppError} `email_taken`, `rate_limited` for an address that gets no invitation now
 */
export async function startAddressChange(
  tx: AccessTransaction,
  services: Services,
  { memberId, email }: { memberId: number; email: string },
  taken: (tx: AccessTransaction, email: string, cause?: unknown) => Promise<AppError> = async (
    _tx,
    _email,
    cause,
  ) => new AppError('email_taken', { cause }),
): Promise<void> {
  const key = emailKey(email);
  const holder = await findCredential(tx, key);
  if (holder && holder.id !== memberId) throw await taken(tx, email);
  const invited = await findInvitedPersonnel(tx, memberId);
  if (invited === undefined || invited.hasPassword) {
    if (!(await changeAddress(tx, services, { memberId, email }))) throw new AppError('not_found');
    return;
  }
  try {
    await setInvitedAddress(tx, { memberId, email, emailKey: key, nowMs: services.now() });
    await renewUsername(tx, { memberId, nowMs: services.now() });
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw await taken(tx, email, error);
    throw error;
  }
  if (!(await mailStaffInvitation(tx, services, { ...invited, email })))
    throw await mailLimitError(services, {
      kind: 'staffInvitation',
      to: email,
      name: 'staff-invitation-mail',
    });
}
