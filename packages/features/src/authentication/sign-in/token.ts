import { loginNameSchema } from '@gatehouse/auth-core';
import { z } from 'zod';
import { publicProcedure } from '../../core/app/procedures.js';
import { applicationTypeOf } from '../login/application-type.js';
import { finishSignIn } from '../login/finish-sign-in.js';
import { redeemLoginToken } from '../login/redeem-login-token.js';
import { signedInView, toSignedIn } from './signed-in.js';

/** Signs in with the one-use token of a provider or partner. Where a second step is due, the token is spent. */
export const token = publicProcedure
  .meta({
    about: {
      summary: 'Sign in with the token of a provider or partner',
      refuses: ['invalid_token', 'second_factor_required', 'role_not_allowed', 'invalid_credentials'],
      readsApptype: true,
    },
  })
  .input(z.object({ token: z.string(), email: loginNameSchema.optional() }))
  .output(signedInView)
  .mutation(async ({ ctx, input: sent }) => {
    const application = applicationTypeOf(ctx, ctx.services.deployment.application);
    const { member, ...redeemed } = await redeemLoginToken(ctx, {
      token: sent.token,
      email: sent.email,
      accepts: ['socialLogin', 'partnerLogin'],
    });
    const session = await finishSignIn(ctx, member, { kind: 'session', application, ...redeemed });
    return toSignedIn(ctx, session);
  });
