import { AppError, emailKey } from '@gatehouse/auth-core';
import { type Database, findCredential } from '@gatehouse/db';

/** The refusal of a colleague's address that another member has. Its issue says what is safe to do instead. */
export async function addressTaken(tx: Database, email: string, cause?: unknown): Promise<AppError> {
  const holder = await findCredential(tx, emailKey(email));
  const options = cause === undefined ? {} : { cause };
  if (holder === undefined) return new AppError('email_taken', options);
  const message = holder.isDeleted
    ? `Member ${holder.id}, who is deleted, has this address. Restore that member, or use another address.`
    : holder.isPersonnel
      ? `Member ${holder.id}, who is staff, has this address. Change that colleague, or correct the address.`
      : `Member ${holder.id} has this address. If they are the colleague, promote that member: nobody keeps a way in that the owner of the address has not proven. Otherwise correct the address.`;
  return new AppError('email_taken', { ...options, issues: [{ path: 'email', message }] });
}
