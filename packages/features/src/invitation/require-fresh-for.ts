import type { Roles } from '@gatehouse/auth-core';
import { requireFresh } from '../app/freshness.js';
import type { InviterContext } from './inviter-context.js';

/**
 * Inviting to a role that owns the account takes somebody fresh.
 * @throws {AppError} `verification_required`
 */
export function requireFreshFor(ctx: InviterContext, roleType: number): void {
  if (ownsAccount(ctx.services.roles, roleType)) requireFresh(ctx, ctx.caller);
}

function ownsAccount({ id }: Roles, roleType: number): boolean {
  return roleType === id.admin || roleType === id.owner;
}
