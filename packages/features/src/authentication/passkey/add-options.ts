import { AppError, randomToken } from '@gatehouse/auth-core';
import { findPasskeyUserId, listPasskeys } from '@gatehouse/db';
import { z } from 'zod';
import { changeDecided } from '../../audit/change-decided.js';
import { beginFlow } from '../../core/app/flow.js';
import { requireRelyingParty } from '../../core/app/own-passkeys.js';
import { personName } from '../../core/app/person-name.js';
import { addingFactorProcedure } from '../../core/app/procedures.js';
import { addScope, MOST_PASSKEYS, requireRecentPassword, toFlowData } from './adding.js';
import { newPasskeyOptions } from './make-options.js';
import { creationOptions } from './option-schemas.js';

/** Begins to add a passkey. Nothing is stored until the browser made it. */
export const addOptions = addingFactorProcedure
  .meta({
    about: {
      summary: 'Begin to add a passkey',
      refuses: ['passkeys_not_configured', 'too_many_passkeys'],
    },
  })
  .input(
    z
      .object({
        /** Whether the browser makes it without asking, just after a password (conditional create). */
        auto: z.boolean().optional(),
      })
      .optional(),
  )
  .output(z.object({ data: z.object({ flow: z.string(), options: creationOptions }) }))
  .mutation(async ({ ctx, input }) => {
    const { services, caller } = ctx;
    const party = requireRelyingParty(services);
    const isAuto = input?.auto === true;
    if (isAuto) requireRecentPassword(ctx);
    const profile = await services.access.profile(caller.member);
    const own = await findPasskeyUserId(services.db, caller.memberId);
    if (!profile || !own) throw new AppError('unauthorized');
    const known = await changeDecided(ctx, {}, (tx) => listPasskeys(tx, caller.memberId));
    // Those of before end with a recovery.
    const passkeys = caller.session.recoveryId === undefined ? known : [];
    if (passkeys.length >= MOST_PASSKEYS) throw new AppError('too_many_passkeys');
    const userId = own.passkeyUserId ?? randomToken();
    const { flow, id: challenge } = beginFlow(services, addScope(caller), toFlowData({ userId, isAuto }));
    const user = { id: userId, name: profile.email ?? profile.username, displayName: personName(profile) };
    return { data: { flow, options: newPasskeyOptions(party, { challenge, user, passkeys, isAuto }) } };
  });
