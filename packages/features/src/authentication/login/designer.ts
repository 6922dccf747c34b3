import { publicProcedure } from '../../core/app/procedures.js';
import { checkPassword } from './check-password.js';
import { finishSignIn } from './finish-sign-in.js';
import { passwordLogin, sessionView } from './login-views.js';

/** Signs a designer in. The base role decides; the `Apptype` header is ignored. */
export const designer = publicProcedure
  .input(passwordLogin)
  .output(sessionView)
  .mutation(async ({ ctx, input }) => {
    const member = await checkPassword(ctx, input.email, input.password);
    return finishSignIn(ctx, member, { kind: 'session', methods: ['pwd'], application: 'designer' });
  });
