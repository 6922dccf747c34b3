import { AppError, decideAccess } from '@gatehouse/auth-core';
import { findReturningHolder, type ReturningHolder } from '@gatehouse/db';
import type { AccessReader } from '../../core/access/access-reader.js';
import type { Context } from '../../core/context.js';
import { checkOwnerProof } from '../../registration/owner-proof.js';
import { limitRegistrations } from '../../registration/register.js';
import { comeBack } from '../deletion/come-back.js';
import { acceptAsProven } from './accept-invitation.js';
import type { Joined } from './joining-person.js';
import type { FollowedLink } from './open-link.js';
import { requireAnswerable } from './require-answerable.js';
import { isReplaced, stateForLink } from './state-now.js';

/**
 * Brings back somebody who deleted themselves and still has the invited address, with their password, and accepts for them.
 * @throws {AppError} `invalid_credentials`, `grace_over`, and as `acceptAsProven` does
 */
export async function joinAsReturning(
  ctx: Context,
  { deleted, link, password }: { deleted: ReturningHolder; link: FollowedLink; password: string },
): Promise<Joined> {
  const { services } = ctx;
  const { db, roles, access } = services;
  const { id: memberId } = deleted;
  const { invitation, tokenKey } = link;
  await limitRegistrations(ctx);
  await access.current();
  const state = await stateForLink({ roles, access, nowMs: services.now() }, invitation);
  requireAnswerable(state, await isReplaced(db, invitation, tokenKey));
  // Of several calls at once the first brings them back.
  const proof = await checkOwnerProof(ctx, { memberId, sent: { password }, admits: () => true });
  await comeBack(ctx, {
    memberId,
    proof,
    claim: async (tx) => {
      const holder = { emailKey: invitation.emailKey, nowMs: services.now() };
      return (await findReturningHolder(tx, holder))?.id === memberId;
    },
  });
  const judge = async (_ctx: Context, reader: AccessReader) => {
    const member = await reader.member(memberId);
    if (!member || decideAccess(roles, member, {}).reason !== undefined)
      throw new AppError('invalid_credentials');
    return { caller: { memberId, member } };
  };
  const { accountId } = await acceptAsProven({ ...ctx, judge }, memberId, link);
  services.wakeups.wake('mail');
  return { memberId, accountId, passwordHash: proof.expectedPassword ?? '' };
}
