import { z } from 'zod';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import { requireRelyingParty } from '../core/guard/level.js';
import { type FlowScope, flowSchema, limitFlows } from '../core/guard/one-use-flow.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { limitPerAddress } from '../core/rate-limit/count-attempt.js';
import { applicationTypeOf, finishSignIn } from './finish-sign-in.js';
import { checkAssertion } from './passkey/check-assertion.js';
import { askPasskey, requestOptions } from './passkey/passkey-options.js';
import { authenticationResponse } from './passkey/web-authn.js';
import { signedInView, toSignedIn } from './sign-in-answer.js';
import { requireOwnSignInOf } from './sso-bypass.js';

/** The binding of a passkey sign-in's flow. */
const PASSKEY_SIGN_IN: FlowScope = { purpose: 'passkeySignIn' };
const WINDOW_MS = 15 * 60_000;

/** Signs in with a passkey. It is both steps at once. */
export const signInByPasskey = publicProcedure
  .meta({
    about: {
      summary: 'Sign in with a passkey',
      refuses: [
        'invalid_challenge',
        'passkey_unknown',
        'invalid_credentials',
        'role_not_allowed',
        'sso_required',
        'passkeys_not_configured',
        'rate_limited',
      ],
      credentials: ['passkey', 'emailAndPassword'],
      readsApptype: true,
    },
  })
  .input(
    z.object({
      flow: flowSchema,
      response: authenticationResponse,
      /** As for `signIn.password`. */
      withoutSso: z.boolean().optional(),
    }),
  )
  .output(signedInView)
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const application = applicationTypeOf(ctx, services.deployment.application);
    const most = services.config.FLOWS_PER_ADDRESS;
    await limitPerAddress(ctx, { name: 'passkey', most, windowMs: WINDOW_MS });
    const { member, consume, afterRefusal } = await checkAssertion(ctx, input, PASSKEY_SIGN_IN);
    await requireOwnSignInOf(ctx, member, { sent: 'passkey', withoutSso: input.withoutSso ?? false });
    const session = await finishSignIn(ctx, member, {
      kind: 'session',
      methods: ['passkey'],
      hasStepped: true,
      application,
      async claim(tx) {
        const nowMs = services.now();
        await createLockedReader(tx, nowMs).lockMember(member.id, 'exclusive');
        await consume(tx, nowMs);
        return true;
      },
    }).catch(async (error: unknown) => {
      await afterRefusal(error);
      throw error;
    });
    return toSignedIn(ctx, session);
  });

/** Begins to sign in with a passkey. It takes no name, so it says nothing about who exists. */
export const passkeySignInOptions = publicProcedure
  .meta({
    about: {
      summary: 'Begin to sign in with a passkey',
      refuses: ['passkeys_not_configured', 'rate_limited'],
    },
  })
  .input(z.object({}).optional())
  .output(z.object({ data: z.object({ flow: z.string(), options: requestOptions }) }))
  .mutation(async ({ ctx }) => {
    const { services } = ctx;
    const party = requireRelyingParty(services);
    await limitFlows(ctx);
    return { data: askPasskey(services, party, PASSKEY_SIGN_IN) };
  });
