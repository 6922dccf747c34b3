import { z } from 'zod';
import { signOutProcedure } from '../app/procedures.js';
import { forgetCookie, forgetSelectedAccount } from '../login/cookie-mode.js';
import { endCallerSession } from './end-sessions.js';

/**
 * Signs out. After the answer the token is invalid on every node. With a `sessionId` only that session ends: a sign-out that is
 * made up for later, as of a browser that had no network, touches nothing that has begun since.
 */
export const end = signOutProcedure
  .input(z.object({ sessionId: z.int().positive().optional() }).optional())
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { familyId, impersonation } = ctx.caller.session;
    const named = input?.sessionId;
    if (named !== undefined && impersonation === undefined && named !== familyId)
      return { message: 'Another session has begun' };
    await endCallerSession(ctx);
    const { byCookie } = ctx.call.facts;
    if (byCookie !== undefined) forgetCookie(ctx, byCookie);
    if (byCookie === 'session') forgetSelectedAccount(ctx);
    return { message: 'Signed out' };
  });
