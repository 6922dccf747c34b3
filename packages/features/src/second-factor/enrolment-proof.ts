import { AppError } from '@gatehouse/auth-core';
import type { MemberFactors } from '@gatehouse/db';
import type { Caller } from '../app/caller.js';
import type { Context } from '../app/context.js';
import { sessionKey } from '../app/session-key.js';
import { countFactorAttempt } from '../app/step-limits.js';
import { compareMailedCode, type FactorProof } from './factor-proof.js';

/**
 * Whether the first factor of a member takes a proof of their mailbox: for staff, and while nobody has proved an
 * address together with a credential. Otherwise whoever registers another's address could bar its owner.
 */
export function needsProof({ isPersonnel, email, ownerProvenAtMs }: MemberFactors): boolean {
  return isPersonnel || (email !== null && ownerProvenAtMs === null);
}

/**
 * The proof sent along with an enrolment, to be consumed with it; undefined if none was sent.
 * @throws {AppError} `proof_required` if it is wrong, `rate_limited`
 */
export async function checkEnrolmentProof(
  ctx: Context & { readonly caller: Caller },
  proof: { readonly emailCode: string } | undefined,
): Promise<FactorProof | undefined> {
  if (proof === undefined) return undefined;
  const { memberId, session } = ctx.caller;
  const attempt = await countFactorAttempt(ctx, memberId, 'emailCode');
  const code = proof.emailCode;
  const proven = await compareMailedCode(ctx.services, { memberId, boundKey: sessionKey(session), code });
  if (proven === undefined) throw new AppError('proof_required');
  await attempt.succeed();
  return proven;
}
