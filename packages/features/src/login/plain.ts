import { plainToken } from '@gatehouse/auth-core';
import { rememberOrigin } from '@gatehouse/features/app/login-limits';
import { memberView, toMemberView } from '@gatehouse/features/app/member-view';
import { publicProcedure } from '@gatehouse/features/app/procedures';
import { checkPassword } from '@gatehouse/features/login/check-password';
import { passwordLogin } from '@gatehouse/features/login/login-views';
import { z } from 'zod';

/**
 * The plain login of the replaced system: the member, and an access token of the plain form, which opens
 * nothing anywhere. The address counts as one the member signs in from, as after any other login.
 */
export const plain = publicProcedure
  .input(passwordLogin)
  .output(z.object({ data: memberView, access_token: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const member = await checkPassword(ctx, input.email, input.password);
    await rememberOrigin(ctx, ctx.kit.db, member.id);
    return { data: toMemberView(member), access_token: plainToken(member.id, ctx.kit.now()) };
  });
