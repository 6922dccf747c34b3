import type { Roles } from '@gatehouse/auth-core';
import { AppError } from '@gatehouse/auth-core';
import { requireKnownRole } from '../authority/require-known-role.js';

/** @throws {AppError} `invalid_input` for a number that is no role of this deployment, or the archived one */
export function requireInvitedRole(roles: Roles, roleType: number): void {
  requireKnownRole(roles, roleType);
  if (roleType !== roles.id.archived) return;
  const message = 'Nobody is invited to this role';
  throw new AppError('invalid_input', { issues: [{ path: 'roleType', message }] });
}
