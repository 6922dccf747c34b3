import {
  checkPassword,
  openSession,
  passwordLogin,
  publicProcedure,
  requireAllowedRole,
  sessionView,
} from '@gatehouse/api-kit';

/** Signs a designer in; the base role decides, whatever the `Apptype` header says. */
export const designer = publicProcedure
  .input(passwordLogin)
  .output(sessionView)
  .mutation(async ({ ctx, input }) => {
    const member = await checkPassword(ctx, input.email, input.password);
    requireAllowedRole(ctx, member, 'designer');
    return openSession(ctx, member, 'session');
  });
