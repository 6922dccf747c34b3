import { z } from 'zod';
import { publicProcedure } from '../../core/app/procedures.js';
import { checkPassword } from './check-password.js';
import { finishSignIn } from './finish-sign-in.js';
import { passwordLogin } from './login-views.js';

/** Signs in with a Scheme B bearer token, for older and native integrations. */
export const bearer = publicProcedure
  .input(passwordLogin)
  .output(z.object({ token: z.string(), userId: z.int(), role: z.int(), isPersonnel: z.boolean() }))
  .mutation(async ({ ctx, input }) => {
    const member = await checkPassword(ctx, input.email, input.password);
    const { application } = ctx.services.deployment;
    return finishSignIn(ctx, member, { kind: 'bearer', methods: ['pwd'], application });
  });
