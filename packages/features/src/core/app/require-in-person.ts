import { AppError } from '@gatehouse/auth-core';
import type { Caller } from './caller.js';

/**
 * Requires that the member began the session themselves. A partner knows the tokens of the sessions it began, and in an
 * impersonation somebody else calls.
 * @throws {AppError} `permission_denied`
 */
export function requireInPerson({ session }: Pick<Caller, 'session'>): void {
  if (session.partnerId !== undefined || session.impersonation !== undefined)
    throw new AppError('permission_denied');
}
