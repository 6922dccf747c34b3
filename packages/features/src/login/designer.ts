import { publicProcedure } from '@gatehouse/features/app/procedures';
import { requireAllowedRole } from '@gatehouse/features/login/application-type';
import { checkPassword } from '@gatehouse/features/login/check-password';
import { passwordLogin, sessionView } from '@gatehouse/features/login/login-views';
import { openSession } from '@gatehouse/features/login/open-session';

/** Signs a designer in; the base role decides, whatever the `Apptype` header says. */
export const designer = publicProcedure
  .input(passwordLogin)
  .output(sessionView)
  .mutation(async ({ ctx, input }) => {
    const member = await checkPassword(ctx, input.email, input.password);
    requireAllowedRole(ctx, member, 'designer');
    return openSession(ctx, member, 'session');
  });
