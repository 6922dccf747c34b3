import { z } from 'zod';
import { memberProcedure } from '../app/procedures.js';
import { endCallerSession } from './end-sessions.js';

/** Signs out: after the answer the token opens nothing, on any node. */
export const end = memberProcedure.output(z.object({ message: z.string() })).mutation(async ({ ctx }) => {
  await endCallerSession(ctx);
  return { message: 'Signed out' };
});
