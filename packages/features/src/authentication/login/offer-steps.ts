import type { StepMethod } from '@gatehouse/auth-core';
import { findNewestSecurityEvent, type MemberFactors } from '@gatehouse/db';
import { askedFrom } from '../../core/app/asked-from.js';
import type { AuthenticationMethod } from '../../core/app/authentication.js';
import type { Context } from '../../core/app/context.js';
import { stepMethods } from './step-methods.js';

/** How long after a mailed reset a mailed code is no second step at an unfamiliar place. */
const WITHHELD_MS = 72 * 3_600_000;

/** The second steps that this client may take. */
export interface OfferedSteps {
  readonly methods: readonly StepMethod[];
  /** Until when a mailed code is left out because of a reset, as an ISO 8601 instant. */
  readonly emailWithheldUntil?: string;
}

/**
 * The second steps of a sign-in, as this client may take them. For 72 hours after a mailed reset the mailbox alone would
 * be both steps, so a mailed code counts only with a device or from a network that the member signed in with lately.
 */
export async function offerSteps(
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
