import { z } from 'zod';
import { signOutProcedure } from '../app/procedures.js';
import { forgetCookie } from '../login/cookie-mode.js';
import { endCallerSession } from './end-sessions.js';

/** Signs out. After the answer the token is invalid on every node. */
export const end = signOutProcedure.output(z.object({ message: z.string() })).mutation(async ({ ctx }) => {
  await endCallerSession(ctx);
  const { byCookie } = ctx.call.facts;
  if (byCookie !== undefined) forgetCookie(ctx, byCookie);
  return { message: 'Signed out' };
});
