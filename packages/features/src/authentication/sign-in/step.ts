import { AppError } from '@gatehouse/auth-core';
import {
  consumeChallengeAttempt,
  consumeSignInChallenge,
  type Database,
  findCredentialById,
} from '@gatehouse/db';
import { z } from 'zod';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import { readAmr } from '../../core/app/authentication.js';
import type { CheckedProof } from '../../core/app/checked-proof.js';
import type { Context } from '../../core/app/context.js';
import { flowSchema } from '../../core/app/flow.js';
import { mayPartnerSignOn, memberInPartnerSession } from '../../core/app/partner-session.js';
import { publicProcedure } from '../../core/app/procedures.js';
import { readApplicationType } from '../login/application-type.js';
import { finishSignIn } from '../login/finish-sign-in.js';
import { isByMail } from '../login/step-methods.js';
import { checkProof } from '../passkey/check-proof.js';
import { authenticationResponse } from '../passkey/response-schemas.js';
import { checkRecoveryTicket } from '../recovery/check-ticket.js';
import { factorCodes, recoveryTicket, sendsOne } from '../second-factor/code-schemas.js';
import {
  challengeSchema,
  type OpenChallenge,
  openChallenge,
  passkeyStepOf,
  requireUnchanged,
} from './open-challenge.js';
import { signedInView, toSignedIn } from './signed-in.js';

const ATTEMPTS = 5;

const input = z
  .object({
    challenge: challengeSchema,
    ...factorCodes,
    flow: flowSchema.optional(),
    response: authenticationResponse.optional(),
    ticket: recoveryTicket.optional(),
  })
  .refine(({ challenge: _challenge, ...proof }) => sendsOne(proof), {
    message: 'Send one of code, backupCode, emailCode, ticket, and flow with response',
  });

/**
 * Takes the second step of a sign-in by a passkey, a code of the authenticator app, a backup code or a mailed code, and
 * makes the session that the first step asked for. With the ticket of a recovery that session may only add a new second
 * factor.
 */
export const step = publicProcedure
  .meta({
    about: {
      summary: 'Take the second step of a sign-in',
      refuses: [
        'invalid_challenge',
        'invalid_credentials',
        'passkey_unknown',
        'role_not_allowed',
        'rate_limited',
      ],
      credentials: ['code', 'passkey', 'emailAndPassword'],
    },
  })
  .input(input)
  .output(signedInView)
  .mutation(async ({ ctx, input: { challenge: sent, ticket, ...proof } }) => {
    const { services } = ctx;
    const open = await openChallenge(ctx, sent);
    const { challenge, member, steps } = open;
    const { challengeKey } = challenge;
    const nowMs = services.now();
    if (!(await consumeChallengeAttempt(services.db, { challengeKey, most: ATTEMPTS, nowMs })))
      throw new AppError('invalid_challenge');
    // No code was ever mailed for an empty key.
    const boundKey = steps.methods.includes('email') ? challengeKey : '';
    const recovering = ticket === undefined ? undefined : await checkRecoveryTicket(ctx, challenge, ticket);
    const scope = { memberId: member.id, boundKey, flow: passkeyStepOf(challenge) };
    const checked =
      recovering ??
      (await checkProof(ctx, scope, proof).catch(async (error: unknown) => {
        if (error instanceof AppError && error.code === 'rate_limited')
          await consumeSignInChallenge(services.db, { challengeKey, nowMs });
        throw error;
      }));
    const proved = readAmr(challenge.amr);
    const session = await finishSignIn(ctx, member, {
      kind: challenge.kind,
      methods: [...proved, ...checked.methods],
      hasStepped: true,
      application: readApplicationType(challenge.application),
      ...(recovering ? { recoveryId: recovering.recoveryId } : {}),
      ...(challenge.partnerId === null ? {} : { partnerId: challenge.partnerId }),
      claim: (tx) => claimStep(ctx, tx, open, checked),
      provesAddress: isByMail(proved),
    }).catch(async (error: unknown) => {
      await checked.afterRefusal(error);
      throw error;
    });
    await checked.succeed();
    services.wakeups.wake('mail');
    return toSignedIn(ctx, session);
  });

/**
 * Uses up the challenge and the code, once nothing has changed that they count for. The session is made in the
 * same transaction.
 * @throws {AppError} `invalid_challenge`, or `invalid_credentials` for a code that was used meanwhile
 */
async function claimStep(
  { services }: Context,
  tx: Database,
  { challenge }: OpenChallenge,
  proof: CheckedProof,
): Promise<true> {
  const { challengeKey, memberId, partnerId, createdAtMs } = challenge;
  const nowMs = services.now();
  const reader = createLockedReader(tx, nowMs);
  await reader.lockMember(memberId, 'exclusive');
  requireUnchanged(challenge, await findCredentialById(tx, memberId));
  if (partnerId !== null) {
    const snapshot = await reader.member(memberId);
    const session = { partnerId, issuedAtMs: createdAtMs };
    const isLinked = await mayPartnerSignOn(tx, { partnerId, memberId });
    if (!isLinked || !snapshot || !(await memberInPartnerSession(reader, snapshot, session)))
      throw new AppError('invalid_challenge');
  }
  if (!(await consumeSignInChallenge(tx, { challengeKey, nowMs }))) throw new AppError('invalid_challenge');
  await proof.consume(tx, nowMs);
  return true;
}
