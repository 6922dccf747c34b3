import { AppError } from '@gatehouse/auth-core';
import {
  findMemberFactors,
  findPasskeyByKey,
  insertPasskey,
  listPasskeys,
  setPasskeyUserId,
} from '@gatehouse/db';
import { z } from 'zod';
import { clientName } from '../../core/app/client-name.js';
import { consumeFlow, flowSchema, openFlow } from '../../core/app/flow.js';
import { requireRelyingParty } from '../../core/app/own-passkeys.js';
import { addingFactorProcedure } from '../../core/app/procedures.js';
import { createFirstBackupCodes } from '../second-factor/backup-codes.js';
import { changeFactors } from '../second-factor/change-factors.js';
import { enrolmentProof } from '../second-factor/code-schemas.js';
import { applyEnrolmentProof, checkEnrolmentProof } from '../second-factor/enrolment-proof.js';
import { verifySession } from '../second-factor/verify-session.js';
import { addScope, MOST_PASSKEYS, readFlowData, requireRecentPassword } from './adding.js';
import { checkRegistration } from './check-registration.js';
import { passkeyName, passkeyView, toPasskeyView } from './passkey-view.js';
import { registrationResponse } from './response-schemas.js';
import { readSignals, signalsSchema } from './signals.js';

/**
 * Adds the passkey that a browser made. If the authenticator verified the user, the session is verified at level 3.
 * It does not switch the second step on.
 */
export const add = addingFactorProcedure
  .meta({
    about: {
      summary: 'Add a passkey',
      refuses: [
        'passkeys_not_configured',
        'invalid_challenge',
        'proof_required',
        'too_many_passkeys',
        'rate_limited',
      ],
    },
  })
  .input(
    z.object({
      flow: flowSchema,
      response: registrationResponse,
      name: passkeyName.optional(),
      proof: enrolmentProof.optional(),
    }),
  )
  .output(
    z.object({
      message: z.string(),
      data: passkeyView,
      /** Ten, with the first factor of a member. They are shown once. */
      backupCodes: z.array(z.string()).optional(),
      signals: signalsSchema,
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { services, call } = ctx;
    const { memberId } = ctx.caller;
    const party = requireRelyingParty(services);
    const flow = openFlow(services, input.flow, addScope(ctx.caller));
    const { userId, isAuto } = readFlowData(flow.data);
    if (isAuto) requireRecentPassword(ctx);
    const { isVerified, ...credential } = await checkRegistration(party, input.response, {
      challenge: flow.id,
      isAuto,
    });
    const proof = await checkEnrolmentProof(ctx, input.proof);
    const name = input.name ?? clientName(call.userAgent) ?? 'Passkey';
    const added = await changeFactors(ctx, async ({ tx, nowMs, decided }) => {
      await consumeFlow(tx, flow);
      const before = await findMemberFactors(tx, memberId);
      if (!before) throw new AppError('unauthorized');
      await applyEnrolmentProof(tx, decided, { before, proof, nowMs });
      const passkeys = await listPasskeys(tx, memberId);
      if (passkeys.length >= MOST_PASSKEYS) throw new AppError('too_many_passkeys');
      if (!(await setPasskeyUserId(tx, { memberId, passkeyUserId: userId })))
        throw new AppError('invalid_challenge');
      const passkey = {
        ...credential,
        memberId,
        rpId: party.id,
        name,
        createdAtMs: nowMs,
        lastUsedAtMs: null,
      };
      if (!(await insertPasskey(tx, passkey))) throw new AppError('invalid_input');
      // Nobody sees codes that come with a passkey made without asking.
      const backupCodes = isAuto ? undefined : await createFirstBackupCodes(tx, services, memberId);
      if (isVerified) await verifySession(tx, decided, { methods: ['passkey'], nowMs });
      const stored = await findPasskeyByKey(tx, credential.credentialKey);
      if (stored === undefined) throw new AppError('internal');
      const now = [...passkeys, stored];
      const signals = await readSignals(tx, party, { memberId, passkeys: now });
      return {
        result: { stored, backupCodes, signals },
        change: 'passkeyAdded',
        action: 'factor.passkey-added',
        before: { passkeys: passkeys.length },
        after: { passkeys: now.length },
      };
    });
    return {
      message: 'The passkey is added',
      data: toPasskeyView(party, added.stored),
      ...(added.backupCodes === undefined ? {} : { backupCodes: added.backupCodes }),
      signals: added.signals,
    };
  });
