import { AppError } from '@gatehouse/auth-core';
import type { Freshness } from '@gatehouse/http/trpc/rule';
import type { Caller } from './caller.js';
import type { Context } from './context.js';

/** What is hard to undo takes somebody who signed in, or showed again who they are, within this time. */
export const FRESH: Freshness = { seconds: 600 };

/**
 * Requires that whoever calls showed lately that they are the member. Guards ask it (`freshProcedure` and its like); a
 * procedure asks it by itself where its input decides whether it is needed, as for giving a role that owns the account.
 * @throws {AppError} `verification_required`
 */
export function requireFresh({ services }: Pick<Context, 'services'>, { session }: Caller): void {
  const { verifiedAtMs } = session;
  if (verifiedAtMs !== null && services.now() < verifiedAtMs + FRESH.seconds * 1000) return;
  throw new AppError('verification_required', {
    verification: { level: 1, maxAgeSeconds: FRESH.seconds, methods: ['password'] },
  });
}
