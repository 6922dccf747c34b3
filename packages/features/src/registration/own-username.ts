import { AppError, isForeignAddress, usernameKey } from '@gatehouse/auth-core';

/** A username that its member may have. Only `ownUsername` makes one. */
export interface OwnUsername {
  readonly username: string;
  readonly usernameKey: string;
}

/**
 * The columns of a username, whichever way it is written. It may hold an `@` only if it is the member's own address.
 * @param email the member's own address, null if they have none
 * @throws {AppError} `invalid_input` for another's address
 */
export function ownUsername(username: string, email: string | null): OwnUsername {
  if (!isForeignAddress(username, email)) return { username, usernameKey: usernameKey(username) };
  const message = 'may hold an @ only if it is your own e-mail address';
  throw new AppError('invalid_input', { issues: [{ path: 'username', message }] });
}
