import { AppError } from '@gatehouse/auth-core';
import type { Freshness } from '@gatehouse/http/trpc/rule';
import type { Caller } from './caller.js';
import type { Context } from './context.js';

/** Actions that are hard to undo require a sign-in, or another verification, within this time. */
export const FRESH: Freshness = { seconds: 600 };

/**
 * Requires a recent verification of the caller. Guards use it (`freshProcedure` and others). A procedure
 * calls it if only some inputs need it, such as giving an owner's role.
 * @throws {AppError} `verification_required`
 */
export function requireFresh({ services }: Pick<Context, 'services'>, { session }: Caller): void {
  const { verifiedAtMs } = session;
  if (verifiedAtMs !== null && services.now() < verifiedAtMs + FRESH.seconds * 1000) return;
  throw new AppError('verification_required', {
    verification: { level: 1, maxAgeSeconds: FRESH.seconds, methods: ['password'] },
  });
}
