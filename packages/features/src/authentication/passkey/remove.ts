import { AppError } from '@gatehouse/auth-core';
import {
  endAllSessions,
  findMemberFactors,
  listPasskeys,
  removeBackupCodes,
  removePasskey,
} from '@gatehouse/db';
import { z } from 'zod';
import { requireRelyingParty } from '../../core/app/own-passkeys.js';
import { freshFactorProcedure } from '../../core/app/procedures.js';
import { changeFactors } from '../second-factor/change-factors.js';
import { requireKeptLevel } from '../second-factor/require-kept-level.js';
import { requireRemovable } from '../second-factor/require-removable.js';
import { keptSession } from '../session/end-sessions.js';
import { readSignals, signalsSchema } from './signals.js';

/** Removes one of the caller's passkeys and ends the other sessions. The last way to sign in stays. */
export const remove = freshFactorProcedure
  .meta({
    about: {
      summary: 'Remove a passkey',
      refuses: ['not_found', 'last_factor', 'factor_required', 'passkeys_not_configured'],
    },
  })
  .input(z.object({ passkeyId: z.int().positive() }))
  .output(z.object({ message: z.string(), signals: signalsSchema }))
  .mutation(async ({ ctx, input: { passkeyId } }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const party = requireRelyingParty(services);
    const signals = await changeFactors(ctx, async ({ tx, nowMs, decided }) => {
      const passkeys = await listPasskeys(tx, memberId);
      const passkey = passkeys.find(({ id }) => id === passkeyId);
      const factors = await findMemberFactors(tx, memberId);
      if (!passkey || !factors) throw new AppError('not_found');
      const left = passkeys.filter(({ id }) => id !== passkeyId);
      const usable = left.filter(({ suspectAtMs }) => suspectAtMs === null);
      const after = { ...factors, passkeyRpIds: usable.map(({ rpId }) => rpId) };
      await requireKeptLevel(ctx, tx, decided.caller, { before: factors, after });
      const { hasFactor } = await requireRemovable(tx, services, { memberId, before: factors, after });
      await removePasskey(tx, { id: passkeyId, memberId });
      if (!hasFactor) await removeBackupCodes(tx, memberId);
      await endAllSessions(tx, memberId, { nowMs, keep: keptSession(decided) });
      return {
        result: await readSignals(tx, party, { memberId, passkeys: left }),
        change: 'passkeyRemoved',
        action: 'factor.passkey-removed',
        before: { passkeys: passkeys.length },
        after: { passkeys: left.length },
      };
    });
    return { message: 'The passkey is removed; your other sessions have ended', signals };
  });
