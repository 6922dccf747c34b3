import { AppError, type Roles } from '@gatehouse/auth-core';

/**
 * Refuses a number that is not a role of staff. The archived role is set by a ban, not given.
 * @throws {AppError} `invalid_input`
 */
export function requireStaffRole(roles: Roles, roleType: number): void {
  const name = roles.nameOf(roleType);
  if (name !== undefined && name !== 'archived') return;
  throw new AppError('invalid_input', {
    issues: [{ path: 'roleType', message: 'This is no role of staff' }],
  });
}
