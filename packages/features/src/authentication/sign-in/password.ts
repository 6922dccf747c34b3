import { AppError, loginNameSchema, submittedPasswordSchema } from '@gatehouse/auth-core';
import { z } from 'zod';
import { publicProcedure } from '../../core/app/procedures.js';
import { applicationTypeOf } from '../login/application-type.js';
import { checkPassword } from '../login/check-password.js';
import { finishSignIn } from '../login/finish-sign-in.js';
import { signedInView, toSignedIn } from './signed-in.js';

const input = z
  .object({
    email: loginNameSchema.optional(),
    /** The login identifier, if it is not the e-mail. */
    sid: loginNameSchema.optional(),
    password: submittedPasswordSchema,
  })
  .refine(({ email, sid }) => (email === undefined) !== (sid === undefined), {
    message: 'Send either an e-mail or a sid',
  });

/** Signs in with a password. Where a second step is due, the refusal has the challenge for `signIn.step`. */
export const password = publicProcedure
  .meta({
    about: {
      summary: 'Sign in with a password',
      refuses: ['invalid_credentials', 'second_factor_required', 'role_not_allowed', 'rate_limited'],
      readsApptype: true,
    },
  })
  .input(input)
  .output(signedInView)
  .mutation(async ({ ctx, input: sent }) => {
    const application = applicationTypeOf(ctx, ctx.services.deployment.application);
    const login = sent.email ?? sent.sid;
    if (login === undefined) throw new AppError('invalid_input');
    const member = await checkPassword(ctx, login, sent.password);
    const session = await finishSignIn(ctx, member, { kind: 'session', methods: ['pwd'], application });
    return toSignedIn(ctx, session);
  });
