import { AppError, plainToken } from '@gatehouse/auth-core';
import { z } from 'zod';
import { rememberOrigin } from '../../core/app/login-limits.js';
import { memberView, toMemberView } from '../../core/app/member-view.js';
import { publicProcedure } from '../../core/app/procedures.js';
import { checkPassword } from './check-password.js';
import { passwordLogin } from './login-views.js';

/**
 * The plain login of the replaced system. It returns the member, and a plain access token that grants
 * nothing. Like other logins, it makes the address familiar. Where a second step is due it refuses, without a
 * challenge.
 */
export const plain = publicProcedure
  .input(passwordLogin)
  .output(z.object({ data: memberView, access_token: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const member = await checkPassword(ctx, input.email, input.password);
    if (member.secondFactor) throw new AppError('second_factor_required');
    await rememberOrigin(ctx, ctx.services.db, member.id);
    const nowMs = ctx.services.now();
    return { data: toMemberView(member, nowMs), access_token: plainToken(member.id, nowMs) };
  });
