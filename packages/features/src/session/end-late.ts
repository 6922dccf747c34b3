import { z } from 'zod';
import type { CallerSession } from '../app/caller.js';
import { signOutProcedure } from '../app/procedures.js';
import { endCallerSession } from './end-sessions.js';
import { forgetSession } from './forget-session.js';

const input = z.object({
  /** The session that was signed out of, if it is known. */
  sessionId: z.int().positive().optional(),
  /** When, by the clock of the service; a little late rather than early. */
  at: z.iso.datetime().optional(),
});

/**
 * Signs out as of a moment that has passed, as for a browser that had no network then. Only a session that was there ends: the
 * named one, or one that had begun. Without either it ends the session of the call.
 */
export const endLate = signOutProcedure
  .meta({ about: { summary: 'Sign out as of a moment that has passed' } })
  .input(input)
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: meant }) => {
    if (!isMeant(ctx.caller.session, meant)) return { message: 'Another session has begun' };
    await endCallerSession(ctx);
    forgetSession(ctx);
    return { message: 'Signed out' };
  });

/** The number of an impersonation is not told, so a sign-out of it names none, or that of the session beside it. */
function isMeant(session: CallerSession, { sessionId, at }: z.output<typeof input>): boolean {
  if (at !== undefined && (session.authTimeMs ?? session.issuedAtMs) <= Date.parse(at)) return true;
  if (session.impersonation !== undefined) return at === undefined;
  return sessionId === undefined ? at === undefined : sessionId === session.familyId;
}
