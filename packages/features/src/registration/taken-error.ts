import { AppError } from '@gatehouse/auth-core';
import type { DuplicateKeyError } from '@gatehouse/db';

/** The refusal of a name or an address that another member has. */
export function takenError(
  error: DuplicateKeyError,
  person: { readonly sid?: string | undefined; readonly email: string | null },
): AppError {
  const { constraint } = error;
  if (constraint === 'members_username_key_unique') return new AppError('username_taken', { cause: error });
  const isAddress =
    constraint === 'members_email_key_unique' || person.sid === undefined || person.sid === person.email;
  return new AppError(isAddress ? 'email_taken' : 'connection_taken', { cause: error });
}
