import { AppError } from '@gatehouse/auth-core';
import { endAllSessions, findMemberFactors, removeBackupCodes, removeTotp } from '@gatehouse/db';
import { z } from 'zod';
import { freshFactorProcedure } from '../../core/app/procedures.js';
import { keptSession } from '../session/end-sessions.js';
import { changeFactors } from './change-factors.js';
import { requireKeptLevel } from './require-kept-level.js';
import { requireRemovable } from './require-removable.js';

/**
 * Removes the authenticator app and ends the other sessions. While sign-ins take a second step, the last way to
 * take it stays.
 */
export const remove = freshFactorProcedure
  .meta({
    about: {
      summary: 'Remove the authenticator app',
      refuses: ['not_found', 'factor_required', 'last_factor'],
    },
  })
  .input(z.object({}).optional())
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx }) => {
    const { memberId } = ctx.caller;
    await changeFactors(ctx, async ({ tx, nowMs, decided }) => {
      const factors = await findMemberFactors(tx, memberId);
      if (!factors || factors.totpConfirmedAtMs === null) throw new AppError('not_found');
      const after = { ...factors, totpConfirmedAtMs: null };
      await requireKeptLevel(ctx, tx, decided.caller, { before: factors, after });
      const { hasFactor } = await requireRemovable(tx, ctx.services, { memberId, before: factors, after });
      await removeTotp(tx, memberId);
      if (!hasFactor) await removeBackupCodes(tx, memberId);
      await endAllSessions(tx, memberId, { nowMs, keep: keptSession(decided) });
      return {
        result: undefined,
        change: 'totpRemoved',
        action: 'factor.totp-removed',
        before: { totp: true },
        after: { totp: false },
      };
    });
    return { message: 'The authenticator app is removed; your other sessions have ended' };
  });
