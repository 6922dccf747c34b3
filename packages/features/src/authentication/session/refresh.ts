import { z } from 'zod';
import { ownSessionProcedure } from '../../core/app/procedures.js';
import { keepInCookie } from '../login/cookie-mode.js';
import { refreshCallerSession } from './refresh-caller-session.js';

/**
 * Extends the session of the call. Past half of its token's life the answer is a new token, and the old one ends a minute
 * later; until then it is the same token. Everybody who sends an old token in its last minute gets the same new one.
 */
export const refresh = ownSessionProcedure
  .meta({ about: { summary: 'Extend the session' } })
  .output(
    z.object({
      data: z.object({
        /** Absent where the session is in a cookie, which is then set anew. */
        token: z.string().optional(),
        expiresAt: z.iso.datetime(),
      }),
    }),
  )
  .mutation(async ({ ctx }) => {
    const { token, expiresAtMs } = await refreshCallerSession(ctx);
    const expiresAt = new Date(expiresAtMs).toISOString();
    const { byCookie } = ctx.call.facts;
    if (byCookie === undefined) return { data: { token, expiresAt } };
    keepInCookie(ctx, byCookie, { token, expiresAtMs });
    return { data: { expiresAt } };
  });
