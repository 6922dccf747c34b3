import { AppError, randomToken, sha256Hex } from '@gatehouse/auth-core';
import { changeAccess, type Database, findMemberFactors, insertSignInChallenge } from '@gatehouse/db';
import { toAmr } from '../../core/app/authentication.js';
import type { Context } from '../../core/app/context.js';
import { bindStep } from './cookie-mode.js';
import { offerSteps } from './offer-steps.js';
import { type CheckedCredential, isNewlyListed, recordListed } from './record-listed.js';
import { consumeProof, type SignInProof } from './sign-in-proof.js';

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

/** The digest of the origin of the page that calls; null for callers that are no page. */
export function originDigest({ call }: Pick<Context, 'call'>): string | null {
  const origin = call.header('origin');
  return origin === undefined || origin === '' ? null : sha256Hex(origin);
}
