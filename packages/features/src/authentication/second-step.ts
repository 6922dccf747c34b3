import { AppError, STEP_METHODS } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { listPasskeys } from '@gatehouse/db/queries/member-passkeys';
import { findCredentialById } from '@gatehouse/db/queries/passwords';
import { consumeChallengeAttempt, consumeSignInChallenge } from '@gatehouse/db/queries/sign-in-challenges';
import { findSsoLogin } from '@gatehouse/db/queries/sso-logins';
import { z } from 'zod';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import type { Context } from '../core/context.js';
import type { CheckedProof } from '../core/guard/authentication-methods.js';
import { readAmr } from '../core/guard/authentication-methods.js';
import { requireRelyingParty } from '../core/guard/level.js';
import { flowSchema } from '../core/guard/one-use-flow.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { mayPartnerSignOn, memberInPartnerSession } from '../core/guard/session-state.js';
import { askedFrom } from '../core/rate-limit/known-device.js';
import { limitMailRequests } from '../mail/limit-mails.js';
import { finishSignIn, readApplicationType } from './finish-sign-in.js';
import { checkProof } from './passkey/check-assertion.js';
import { askPasskey, requestOptions } from './passkey/passkey-options.js';
import { authenticationResponse } from './passkey/web-authn.js';
import { checkRecoveryTicket } from './recovery/recovery-tickets.js';
import { factorCodes, queueCode, recoveryTicket, sendsOne } from './second-factor/factor-codes.js';
import { isByMail } from './second-factor/step-methods.js';
import { signedInView, toSignedIn } from './sign-in-answer.js';
import {
  challengeSchema,
  type OpenChallenge,
  openChallenge,
  type ProvenSso,
  passkeyStepOf,
  requireUnchanged,
} from './step-challenge.js';
import { lockConnectionOf, mayFederate, toProvenSso } from './token-sign-in.js';

/** The ways to take the second step of a sign-in, and what a passkey needs for it. */
export const stepOptions = publicProcedure
  .meta({ about: { summary: 'See how to take the second step', refuses: ['invalid_challenge'] } })
  .input(z.object({ challenge: challengeSchema }))
  .output(
    z.object({
      data: z.object({
        methods: z.array(z.enum(STEP_METHODS)),
        expiresAt: z.iso.datetime(),
        /** Until when no code is mailed to an unfamiliar place because of a reset by mail. */
        emailWithheldUntil: z.iso.datetime().optional(),
        /** Present if a passkey may be the step. */
        flow: z.string().optional(),
        options: requestOptions.optional(),
      }),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const { challenge, steps } = await openChallenge(ctx, input.challenge);
    const { methods, emailWithheldUntil } = steps;
    const expiresAt = new Date(challenge.expiresAtMs).toISOString();
    const data = {
      methods: [...methods],
      expiresAt,
      ...(emailWithheldUntil === undefined ? {} : { emailWithheldUntil }),
    };
    if (!methods.includes('passkey')) return { data };
    const passkeys = await listPasskeys(services.db, challenge.memberId);
    const usable = passkeys.filter(({ suspectAtMs }) => suspectAtMs === null);
    const asked = askPasskey(services, requireRelyingParty(services), passkeyStepOf(challenge), usable);
    return { data: { ...data, ...asked } };
  });

/** Mails the code of a second step, if a mail may be it. */
export const stepEmail = publicProcedure
  .meta({
    about: {
      summary: 'Get the code of the second step by mail',
      refuses: ['invalid_challenge', 'permission_denied', 'rate_limited'],
    },
  })
  .input(z.object({ challenge: challengeSchema }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { challenge, member, steps } = await openChallenge(ctx, input.challenge);
    if (!steps.methods.includes('email') || member.email === null) throw new AppError('permission_denied');
    const { services } = ctx;
    await limitMailRequests(ctx);
    const request = {
      memberId: member.id,
      boundKey: challenge.challengeKey,
      to: member.email,
      askedFrom: await askedFrom(ctx, member.id),
    };
    await services.db.transaction((tx) => queueCode(tx, services, request));
    services.wakeups.wake('mail');
    return { message: 'We have sent an email with a code' };
  });

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
export const takeStep = publicProcedure
  .meta({
    about: {
      summary: 'Take the second step of a sign-in',
      refuses: [
        'invalid_challenge',
        'invalid_credentials',
        'passkey_unknown',
        'role_not_allowed',
        'sso_required',
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
      ...(await ssoOf(ctx, challenge)),
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
 * The sign-in by an identity provider whose second step this is.
 * @throws {AppError} `invalid_challenge` if it is no longer valid
 */
async function ssoOf(
  { services }: Context,
  { ssoLoginId: loginId, memberId }: OpenChallenge['challenge'],
): Promise<{ sso?: ProvenSso }> {
  if (loginId === null) return {};
  const login = await findSsoLogin(services.db, loginId);
  await services.access.current();
  const member = await services.access.member(memberId);
  if (login === undefined || member === undefined) throw new AppError('invalid_challenge');
  return { sso: toProvenSso(login, member) };
}

/**
 * Uses up the challenge and the code, if nothing that they depend on has changed. The session is made in the same transaction.
 * @throws {AppError} `invalid_challenge`, or `invalid_credentials` for a code that was used meanwhile
 */
async function claimStep(
  { services }: Context,
  tx: Database,
  { challenge }: OpenChallenge,
  proof: CheckedProof,
): Promise<true> {
  const { challengeKey, memberId, partnerId, ssoLoginId: loginId, createdAtMs } = challenge;
  const nowMs = services.now();
  const reader = createLockedReader(tx, nowMs);
  const login = loginId === null ? undefined : await findSsoLogin(tx, loginId);
  if (login !== undefined) await lockConnectionOf(tx, reader, login);
  await reader.lockMember(memberId, 'exclusive');
  requireUnchanged(challenge, await findCredentialById(tx, memberId));
  if (partnerId !== null) {
    const snapshot = await reader.member(memberId);
    const session = { partnerId, issuedAtMs: createdAtMs };
    const isLinked = await mayPartnerSignOn(tx, { partnerId, memberId });
    if (!isLinked || !snapshot || !(await memberInPartnerSession(reader, snapshot, session)))
      throw new AppError('invalid_challenge');
  }
  if (loginId !== null) {
    const member = await reader.member(memberId);
    if (!member || !(await mayFederate({ ...services, db: tx }, reader, { loginId, member })))
      throw new AppError('invalid_challenge');
  }
  if (!(await consumeSignInChallenge(tx, { challengeKey, nowMs }))) throw new AppError('invalid_challenge');
  await proof.consume(tx, nowMs);
  return true;
}
