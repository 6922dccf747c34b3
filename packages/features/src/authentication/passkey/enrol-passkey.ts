import { AppError, randomToken } from '@gatehouse/auth-core';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import {
  findPasskeyByKey,
  findPasskeyUserId,
  insertPasskey,
  listPasskeys,
  setPasskeyUserId,
} from '@gatehouse/db/queries/member-passkeys';
import { z } from 'zod';
import { change } from '../../audit/change.js';
import type { Context } from '../../core/context.js';
import { readAmr } from '../../core/guard/authentication-methods.js';
import type { Caller } from '../../core/guard/caller.js';
import { FRESH } from '../../core/guard/freshness.js';
import { requireRelyingParty } from '../../core/guard/level.js';
import {
  beginFlow,
  consumeFlow,
  type FlowScope,
  flowSchema,
  openFlow,
} from '../../core/guard/one-use-flow.js';
import { procedure } from '../../core/guard/procedure.js';
import { personName } from '../../core/member-view.js';
import { clientName } from '../../core/rate-limit/known-device.js';
import { changeFactors } from '../second-factor/change-factors.js';
import { applyEnrolmentProof, checkEnrolmentProof } from '../second-factor/enrolment-proof.js';
import { createFirstBackupCodes, enrolmentProof } from '../second-factor/factor-codes.js';
import { verifySession } from '../second-factor/verify-session.js';
import { checkRegistration } from './check-registration.js';
import { passkeyName, passkeyView, readSignals, signalsSchema, toPasskeyView } from './manage-passkeys.js';
import { creationOptions, newPasskeyOptions } from './passkey-options.js';
import { registrationResponse } from './web-authn.js';

/** As many passkeys as a member may have. */
const MAX_PASSKEYS = 20;
const PASSWORD_LASTS_MS = 5 * 60_000;

/** The binding of a new passkey's flow. */
export function addScope({ memberId }: Pick<Caller, 'memberId'>): FlowScope {
  return { purpose: 'passkeyAdd', binding: String(memberId) };
}

const flowData = z.object({
  /** The user id the passkey was made for. */
  userId: z.string(),
  isAuto: z.boolean(),
});

export function toFlowData(data: z.output<typeof flowData>): string {
  return JSON.stringify(data);
}

function readFlowData(data: string): z.output<typeof flowData> {
  return flowData.parse(JSON.parse(data));
}

/**
 * Requires that the caller signed in with a password within five minutes, as a passkey that is made without asking
 * needs. Such a passkey need not verify the user, so no recovery ends with it.
 * @throws {AppError} `verification_required`
 */
function requireRecentPassword({ services, caller }: Context & { readonly caller: Caller }): void {
  const { amr, authTimeMs, recoveryId } = caller.session;
  const isRecent = authTimeMs !== null && services.now() < authTimeMs + PASSWORD_LASTS_MS;
  if (isRecent && recoveryId === undefined && readAmr(amr).includes('pwd')) return;
  const maxAgeSeconds = PASSWORD_LASTS_MS / 1000;
  throw new AppError('verification_required', { verification: { level: 1, maxAgeSeconds, methods: [] } });
}

/** Begins to add a passkey. Nothing is stored until the browser made it. */
export const addPasskeyOptions = procedure({
  who: 'member',
  inPerson: true,
  opensBelowLevel: true,
  fresh: FRESH,
  opensInRecovery: true,
})
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
    const known = await change(ctx, {}, ({ tx }) => listPasskeys(tx, caller.memberId));
    // A recovery ends the earlier ones.
    const passkeys = caller.session.recoveryId === undefined ? known : [];
    if (passkeys.length >= MAX_PASSKEYS) throw new AppError('too_many_passkeys');
    const userId = own.passkeyUserId ?? randomToken();
    const { flow, id: challenge } = beginFlow(services, addScope(caller), toFlowData({ userId, isAuto }));
    const user = { id: userId, name: profile.email ?? profile.username, displayName: personName(profile) };
    return { data: { flow, options: newPasskeyOptions(party, { challenge, user, passkeys, isAuto }) } };
  });

/**
 * Adds the passkey that a browser made. If the authenticator verified the user, the session is verified at level 3.
 * It does not switch the second step on.
 */
export const addPasskey = procedure({
  who: 'member',
  inPerson: true,
  opensBelowLevel: true,
  fresh: FRESH,
  opensInRecovery: true,
})
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
    const added = await changeFactors(ctx, async ({ tx, nowMs, authorized }) => {
      await consumeFlow(tx, flow);
      const before = await findMemberFactors(tx, memberId);
      if (!before) throw new AppError('unauthorized');
      await applyEnrolmentProof(tx, authorized, { before, proof, nowMs });
      const passkeys = await listPasskeys(tx, memberId);
      if (passkeys.length >= MAX_PASSKEYS) throw new AppError('too_many_passkeys');
      if (!(await setPasskeyUserId(tx, { memberId, passkeyUserId: userId })))
        throw new AppError('invalid_challenge');
      const passkey = {
        ...credential,
        memberId,
        userHandle: userId,
        rpId: party.id,
        name,
        createdAtMs: nowMs,
        lastUsedAtMs: null,
      };
      if (!(await insertPasskey(tx, passkey))) throw new AppError('invalid_input');
      // A passkey made without asking returns no codes, because nobody would see them.
      const backupCodes = isAuto ? undefined : await createFirstBackupCodes(tx, services, memberId);
      if (isVerified) await verifySession(tx, authorized, { methods: ['passkey'], nowMs });
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
