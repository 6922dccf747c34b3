import { AppError, emailKey } from '@gatehouse/auth-core';
import { type AccessTransaction, findCredential } from '@gatehouse/db';
import type { Services } from '../../app/services.js';
import { changeAddress } from '../../registration/change-address.js';

/**
 * Starts a change of a member's address, which takes effect once the new address confirms; the present
 * address is notified.
 * @throws {AppError} `email_taken`
 */
export async function startAddressChange(
  tx: AccessTransaction,
  services: Services,
  { memberId, email }: { memberId: number; email: string },
): Promise<void> {
  const holder = await findCredential(tx, emailKey(email));
  if (holder && holder.id !== memberId) throw new AppError('email_taken');
  if (!(await changeAddress(tx, services, { memberId, email }))) throw new AppError('not_found');
}
