import { isOwnerRole } from '../../core/authority/given-role.js';
import { requireFresh } from '../../core/guard/freshness.js';
import type { InviterContext } from './inviter-context.js';

/**
 * Inviting to a role that owns the account needs a recent proof of identity.
 * @throws {AppError} `verification_required`
 */
export async function requireFreshFor(ctx: InviterContext, roleType: number): Promise<void> {
  if (isOwnerRole(ctx.services.roles, roleType)) await requireFresh(ctx, ctx.caller);
}
