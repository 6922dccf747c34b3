import { AppError, loginNameSchema, submittedPasswordSchema } from '@gatehouse/auth-core';
import { z } from 'zod';
import { publicProcedure } from '../../core/app/procedures.js';
import { applicationTypeOf } from './application-type.js';
import { checkPassword } from './check-password.js';
import { finishSignIn } from './finish-sign-in.js';
import { sessionView } from './login-views.js';
import { redeemLoginToken } from './redeem-login-token.js';

const input = z
  .object({
    email: loginNameSchema.optional(),
    /** The login identifier, if it is not the e-mail. */
    sid: loginNameSchema.optional(),
    password: submittedPasswordSchema.optional(),
    /** Signs in with a social callback token or a partner login token. */
    tempLogin: z.boolean().optional(),
    /** Signs in with a social callback token. */
    social: z.boolean().optional(),
    token: z.string().optional(),
  })
  .superRefine((value, context) => {
    const issue = (path: string, message: string) => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    if (value.tempLogin && value.social) issue('social', 'Either tempLogin or social, not both');
    if (value.tempLogin || value.social) return;
    if (value.email === undefined && value.sid === undefined) issue('email', 'An e-mail or a sid is needed');
    if (value.password === undefined) issue('password', 'A password is needed');
  });

/**
 * The login of web, mobile, designer and admin applications, with a password or the one-use token of a social or
 * partner sign-in. The `Apptype` header names the application.
 */
export const web = publicProcedure
  .input(input)
  .output(sessionView)
  .mutation(async ({ ctx, input: { email, sid, password, tempLogin, social, token } }) => {
    const application = applicationTypeOf(ctx, ctx.services.deployment.application);
    if (tempLogin || social) {
      const { member, ...redeemed } = await redeemLoginToken(ctx, {
        token,
        email,
        accepts: social ? ['socialLogin'] : ['socialLogin', 'partnerLogin'],
      });
      return finishSignIn(ctx, member, { kind: 'session', application, ...redeemed });
    }
    const login = email ?? sid;
    if (login === undefined || password === undefined) throw new AppError('invalid_input');
    const member = await checkPassword(ctx, login, password);
    return finishSignIn(ctx, member, { kind: 'session', methods: ['pwd'], application });
  });
