import { z } from 'zod';
import { publicProcedure } from '../app/procedures.js';
import { requireAllowedRole } from './application-type.js';
import { checkPassword } from './check-password.js';
import { passwordLogin } from './login-views.js';
import { openSession } from './open-session.js';

/** Signs in with a Scheme B bearer token, for older and native integrations. */
export const bearer = publicProcedure
  .input(passwordLogin)
  .output(z.object({ token: z.string(), userId: z.int(), role: z.int(), isPersonnel: z.boolean() }))
  .mutation(async ({ ctx, input }) => {
    const member = await checkPassword(ctx, input.email, input.password);
    requireAllowedRole(ctx, member, ctx.services.deployment.application);
    return openSession(ctx, member, 'bearer');
  });
