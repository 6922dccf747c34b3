import { AppError } from '@gatehouse/auth-core';
import { isBanned, type LockedMember } from '@gatehouse/db';

/** @throws {AppError} `invalid_input` for a member whose ban has to be lifted first */
export function requireNotBanned(member: LockedMember, nowMs: number): void {
  if (!isBanned(member, nowMs)) return;
  throw new AppError('invalid_input', {
    issues: [{ path: 'memberId', message: 'The member is banned: lift the ban first' }],
  });
}
