import { AppError } from '@gatehouse/auth-core';
import { listPasskeys, setPasskeyName } from '@gatehouse/db';
import { z } from 'zod';
import { changeDecided } from '../../audit/change-decided.js';
import { recordAudit } from '../../audit/record-audit.js';
import { requireRelyingParty } from '../../core/app/own-passkeys.js';
import { ownFactorProcedure } from '../../core/app/procedures.js';
import { passkeyName, passkeyView, toPasskeyView } from './passkey-view.js';

/** Names one of the caller's passkeys. */
export const rename = ownFactorProcedure
  .meta({ about: { summary: 'Rename a passkey', refuses: ['not_found', 'passkeys_not_configured'] } })
  .input(z.object({ passkeyId: z.int().positive(), name: passkeyName }))
  .output(z.object({ message: z.string(), data: passkeyView }))
  .mutation(async ({ ctx, input: { passkeyId, name } }) => {
    const { memberId } = ctx.caller;
    const party = requireRelyingParty(ctx.services);
    const renamed = await changeDecided(ctx, {}, async (tx, nowMs) => {
      const before = (await listPasskeys(tx, memberId)).find(({ id }) => id === passkeyId);
      if (!before || !(await setPasskeyName(tx, { id: passkeyId, memberId, name })))
        throw new AppError('not_found');
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'factor.passkey-renamed',
        actorId: memberId,
        subjectKind: 'passkey',
        subjectId: passkeyId,
      });
      return { ...before, name };
    });
    return { message: 'The passkey is renamed', data: toPasskeyView(party, renamed) };
  });
