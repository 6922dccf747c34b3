import { publicProcedure } from '../app/procedures.js';
import { requireAllowedRole } from './application-type.js';
import { checkPassword } from './check-password.js';
import { passwordLogin, sessionView } from './login-views.js';
import { openSession } from './open-session.js';

/** Signs a designer in. The base role decides; the `Apptype` header is ignored. */
export const designer = publicProcedure
  .input(passwordLogin)
  .output(sessionView)
  .mutation(async ({ ctx, input }) => {
    const member = await checkPassword(ctx, input.email, input.password);
    requireAllowedRole(ctx, member, 'designer');
    return openSession(ctx, member, 'session');
  });
