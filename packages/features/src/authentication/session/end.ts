import { z } from 'zod';
import { signOutProcedure } from '../../core/app/procedures.js';
import { endCallerSession } from './end-sessions.js';
import { forgetSession } from './forget-session.js';

/** Signs out. After the answer the token is invalid on every node. */
export const end = signOutProcedure.output(z.object({ message: z.string() })).mutation(async ({ ctx }) => {
  await endCallerSession(ctx);
  forgetSession(ctx);
  return { message: 'Signed out' };
});
