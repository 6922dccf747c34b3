import { AppError, randomToken, type StepMethod, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { isActiveAt } from '@gatehouse/db/queries/member-columns';
import { findMemberFactors, type MemberFactors } from '@gatehouse/db/queries/member-factors';
import { type Credential, findCredentialById } from '@gatehouse/db/queries/passwords';
import { findNewestSecurityEvent } from '@gatehouse/db/queries/recovery-subject';
import { consumeToken } from '@gatehouse/db/queries/refresh-session';
import {
  findSignInChallenge,
  insertSignInChallenge,
  type SignInChallenge,
} from '@gatehouse/db/queries/sign-in-challenges';
import { z } from 'zod';
import type { ApplicationType, Context } from '../core/context.js';
import { type AuthenticationMethod, readAmr, toAmr } from '../core/guard/authentication-methods.js';
import type { FlowScope } from '../core/guard/one-use-flow.js';
import { askedFrom } from '../core/rate-limit/known-device.js';
import { type CheckedCredential, isNewlyListed, recordListed } from './check-password.js';
import { stepMethods } from './second-factor/step-methods.js';
import { bindStep, boundStep } from './session/cookie-mode.js';

export type SessionKind = 'session' | 'bearer';

/** A sign-in by the identity provider of an account, or of the platform. */
export interface ProvenSso {
  readonly loginId: number;
  /** The account, or `PLATFORM`. */
  readonly accountId: number;
  readonly untilMs: number;
  /** Whether its session reaches only that account. */
  readonly isNarrow: boolean;
}

/** The first proof, and the session it is for. */
export interface SignInProof {
  readonly kind: SessionKind;
  /** Everything proved so far; the first is the first factor. */
  readonly methods: readonly AuthenticationMethod[];
  /** Whether the second step is done. */
  readonly hasStepped?: boolean;
  /** The application signed in to. Absent for a member who has just registered. */
  readonly application?: ApplicationType;
  readonly partnerId?: number;
  /** The sign-in by an identity provider, whose session ends with it. */
  readonly sso?: ProvenSso;
  readonly consume?: { readonly tokenKey: string; readonly expiresAtMs: number };
  /** Consumes the credential of the login. On false the login is refused without an effect. */
  readonly claim?: (tx: Database) => Promise<boolean>;
  /** The recovery whose ticket was the second step: the session then only adds one. */
  readonly recoveryId?: number;
  /** Whether the login proves the address. Earlier credentials then end, unless the owner was proven. */
  readonly provesAddress?: boolean;
}

/**
 * Consumes the proof of a sign-in; false if it is no longer valid.
 * @throws {AppError} `invalid_token` if the one-use token was consumed
 */
export async function consumeProof(tx: Database, { consume, claim }: SignInProof): Promise<boolean> {
  if (consume && !(await consumeToken(tx, consume))) throw new AppError('invalid_token');
  return claim === undefined || claim(tx);
}

/** How long after a mailed reset a mailed code is not accepted as second step at an unfamiliar place. */
const WITHHELD_MS = 72 * 3_600_000;

/** The second steps that this client may take. */
interface OfferedSteps {
  readonly methods: readonly StepMethod[];
  /** Until when no code is mailed because of a reset, as an ISO 8601 instant. */
  readonly emailWithheldUntil?: string;
}

/**
 * The second steps of a sign-in, as this client may take them. For 72 hours after a mailed reset the mailbox alone would be both
 * steps, so a mailed code is accepted only on a device or from a network that the member signed in with recently.
 */
async function offerSteps(
  ctx: Context,
  memberId: number,
  { factors, proved }: { readonly factors: MemberFactors; readonly proved: readonly AuthenticationMethod[] },
): Promise<OfferedSteps> {
  const { services } = ctx;
  const methods = stepMethods(services, factors, proved);
  if (!methods.includes('email')) return { methods };
  const resetAtMs = await findNewestSecurityEvent(services.db, {
    memberId,
    kind: 'password.reset',
    sinceMs: services.now() - WITHHELD_MS,
  });
  if (resetAtMs === undefined || (await askedFrom(ctx, memberId)) !== 'elsewhere') return { methods };
  return {
    methods: methods.filter((method) => method !== 'email'),
    emailWithheldUntil: new Date(resetAtMs + WITHHELD_MS).toISOString(),
  };
}

const LIFE_MS = 10 * 60_000;

/**
 * Ends a sign-in whose first factor was right with the challenge of its second step. One-use proofs are spent.
 * @throws {AppError} `second_factor_required`, and `invalid_credentials` or `invalid_token` as `finishSignIn`
 */
export async function challengeSignIn(
  ctx: Context,
  member: CheckedCredential,
  proof: SignInProof,
): Promise<never> {
  const { services, call } = ctx;
  const nowMs = services.now();
  const expiresAtMs = nowMs + LIFE_MS;
  const challenge = randomToken();
  const cookieDigest = bindStep(ctx, LIFE_MS);
  const begin = async (tx: Database) => {
    if (!(await consumeProof(tx, proof))) return undefined;
    await insertSignInChallenge(tx, {
      challengeKey: sha256Hex(challenge),
      memberId: member.id,
      factorEpoch: member.factorEpoch,
      sessionEpoch: member.sessionEpoch,
      passwordDigest: sha256Hex(member.password),
      kind: proof.kind,
      partnerId: proof.partnerId ?? null,
      ssoLoginId: proof.sso?.loginId ?? null,
      application: proof.application ?? services.deployment.application,
      deployment: services.deployment.application,
      clientDigest: sha256Hex(call.userAgent ?? ''),
      originDigest: originDigest(ctx),
      cookieDigest,
      amr: toAmr(proof.methods),
      createdAtMs: nowMs,
      expiresAtMs,
    });
    return findMemberFactors(tx, member.id);
  };
  const factors = isNewlyListed(member)
    ? await changeAccess(services.db, { members: [member.id] }, async (tx) => {
        const begun = await begin(tx);
        if (begun !== undefined) await recordListed(tx, ctx, member);
        return begun;
      })
    : await services.db.transaction(begin);
  services.wakeups.wake('mail');
  if (factors === undefined) throw new AppError('invalid_credentials');
  services.log.security({
    event: 'login.step',
    requestId: call.requestId,
    address: call.address,
    memberId: member.id,
    partnerId: proof.partnerId,
  });
  const steps = await offerSteps(ctx, member.id, { factors, proved: proof.methods });
  throw new AppError('second_factor_required', {
    step: { challenge, ...steps, expiresAt: new Date(expiresAtMs).toISOString() },
  });
}

/** The digest of the calling page's origin; null for callers other than pages. */
function originDigest({ call }: Pick<Context, 'call'>): string | null {
  const origin = call.header('origin');
  return origin === undefined || origin === '' ? null : sha256Hex(origin);
}

/** The answer to a sign-in that takes a second step. */
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

/** The binding of the flow of a passkey as second step. */
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
