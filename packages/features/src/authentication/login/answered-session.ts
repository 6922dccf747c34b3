import { z } from 'zod';
import type { Context } from '../../core/app/context.js';
import type { OpenedSession } from './finish-sign-in.js';
import { putInCookie } from './put-in-cookie.js';

/** What an answer has of a session that has begun: its token or, where a cookie has that, when it ends. */
export const answeredSessionShape = {
  token: z.string().optional(),
  expiresAt: z.iso.datetime().optional(),
};

/** Hands over a session that has begun, in the answer or in a cookie. */
export async function answeredSession(
  ctx: Context,
  session: OpenedSession,
): Promise<{ token: string } | { expiresAt: string }> {
  if (!(await putInCookie(ctx, session))) return { token: session.token };
  return { expiresAt: new Date(session.expiresAtMs).toISOString() };
}
