import { AppError, type Roles } from '@gatehouse/auth-core';

/** @throws {AppError} `invalid_input` for a number that no role of this deployment has */
export function requireKnownRole(roles: Roles, roleType: number): void {
  if (roles.nameOf(roleType) === undefined) {
    throw new AppError('invalid_input', { issues: [{ path: 'roleType', message: 'There is no such role' }] });
  }
}
