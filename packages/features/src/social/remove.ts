import { AppError } from '@gatehouse/auth-core';
import { findMemberFactors, lockMember, removeConnection } from '@gatehouse/db';
import { z } from 'zod';
import { changeDecided } from '../audit/change-decided.js';
import { recordAudit } from '../audit/record-audit.js';
import { hasOwnPasskey } from '../core/guard/level.js';
import { twoStepFreshConnectionProcedure } from '../core/guard/procedures.js';

/**
 * Removes one of the caller's connections with all its provider data. A member without an address or a passkey
 * keeps their last one, because it is their only way to sign in.
 */
export const remove = twoStepFreshConnectionProcedure
  .input(z.object({ connectionId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { caller } = ctx;
    const { memberId } = caller;
    await changeDecided(ctx, { members: [memberId] }, async (tx, nowMs) => {
      const member = await lockMember(tx, { memberId, nowMs });
      if (!member) throw new AppError('unauthorized');
      const factors = await findMemberFactors(tx, memberId);
      const hasPasskey = factors !== undefined && hasOwnPasskey(ctx.services, factors);
      const needsAnother = member.email === null && !hasPasskey;
      const outcome = await removeConnection(tx, { id: input.connectionId, memberId, needsAnother });
      if (outcome === 'absent') throw new AppError('not_found');
      if (outcome === 'last') throw new AppError('last_connection');
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'connection.removed',
        actorId: memberId,
        subjectKind: 'connection',
        subjectId: input.connectionId,
      });
    });
    return { message: 'The connection is removed' };
  });
