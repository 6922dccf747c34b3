import { AppError, sha256Hex } from '@gatehouse/auth-core';
import {
  type Credential,
  findCredentialById,
  findMemberFactors,
  findSignInChallenge,
  isActiveAt,
  type SignInChallenge,
} from '@gatehouse/db';
import { z } from 'zod';
import { readAmr } from '../../core/app/authentication.js';
import type { Context } from '../../core/app/context.js';
import type { FlowScope } from '../../core/app/flow.js';
import { originDigest } from '../login/challenge-sign-in.js';
import { boundStep } from '../login/cookie-mode.js';
import { type OfferedSteps, offerSteps } from '../login/offer-steps.js';

/** What a sign-in that takes a second step answered. */
export const challengeSchema = z.string().max(100);

/** A challenge that this client may answer, whose it is, and how. */
export interface OpenChallenge {
  readonly challenge: SignInChallenge;
  readonly member: Credential;
  readonly steps: OfferedSteps;
}

/**
 * The challenge of a second step. It must be open and made for this client, and nothing it was made with may have
 * changed.
 * @throws {AppError} `invalid_challenge`, whatever is wrong with it
 */
export async function openChallenge(ctx: Context, sent: string): Promise<OpenChallenge> {
  const { services, call } = ctx;
  const nowMs = services.now();
  const challenge = await findSignInChallenge(services.db, { challengeKey: sha256Hex(sent), nowMs });
  const isOurs =
    challenge?.deployment === services.deployment.application &&
    challenge.clientDigest === sha256Hex(call.userAgent ?? '') &&
    (challenge.originDigest === null || challenge.originDigest === originDigest(ctx)) &&
    challenge.cookieDigest === boundStep(ctx);
  if (!challenge || !isOurs) throw new AppError('invalid_challenge');
  const member = await findCredentialById(services.db, challenge.memberId);
  const factors = await findMemberFactors(services.db, challenge.memberId);
  if (!member || !factors || !isActiveAt(member, nowMs)) throw new AppError('invalid_challenge');
  requireUnchanged(challenge, member);
  const proved = readAmr(challenge.amr);
  return { challenge, member, steps: await offerSteps(ctx, challenge.memberId, { factors, proved }) };
}

/** What the flow of a passkey as second step belongs to. */
export function passkeyStepOf({ challengeKey }: Pick<SignInChallenge, 'challengeKey'>): FlowScope {
  return { purpose: 'passkeyStep', binding: challengeKey };
}

/**
 * Requires that the member's password, factors and sessions are those the challenge was made with.
 * @throws {AppError} `invalid_challenge`
 */
export function requireUnchanged(challenge: SignInChallenge, member: Credential | undefined): void {
  const isSame =
    member !== undefined &&
    member.factorEpoch === challenge.factorEpoch &&
    member.sessionEpoch === challenge.sessionEpoch &&
    sha256Hex(member.password) === challenge.passwordDigest;
  if (!isSame) throw new AppError('invalid_challenge');
}
