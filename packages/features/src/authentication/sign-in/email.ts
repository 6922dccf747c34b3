import { AppError, readDigits } from '@gatehouse/auth-core';
import { z } from 'zod';
import { recordRefusal } from '../../audit/security-event/record-refusal.js';
import { flowSchema, openFlow } from '../../core/app/flow.js';
import { limitPerAddress } from '../../core/app/limit-per-address.js';
import { publicProcedure } from '../../core/app/procedures.js';
import { applicationTypeOf } from '../login/application-type.js';
import { finishSignIn } from '../login/finish-sign-in.js';
import { mailedCodeSchema } from '../second-factor/code-schemas.js';
import { compareMailedPart } from './email-proof.js';
import { requireEmailSignIn } from './request-email.js';
import { signedInView, toSignedIn } from './signed-in.js';

const LIMIT_WINDOW_MS = 15 * 60_000;

const input = z
  .object({
    flow: flowSchema,
    /** The digits in the mail. */
    code: mailedCodeSchema.optional(),
    /** What follows `#email=` in the mail's link. */
    token: z.string().min(1).max(100).optional(),
  })
  .refine(({ code, token }) => (code === undefined) !== (token === undefined), {
    message: 'Send either a code or a token',
  });

/**
 * Signs in with the code or the link of a mail, once, within ten minutes, and only with the flow that
 * `signIn.requestEmail` gave to the browser that asked.
 */
export const email = publicProcedure
  .meta({
    about: {
      summary: 'Sign in with the code or link of a mail',
      refuses: [
        'invalid_challenge',
        'invalid_credentials',
        'second_factor_required',
        'role_not_allowed',
        'not_found',
        'rate_limited',
      ],
      credentials: ['code', 'emailAndPassword'],
      readsApptype: true,
    },
  })
  .input(input)
  .output(signedInView)
  .mutation(async ({ ctx, input: sent }) => {
    const { services, call } = ctx;
    requireEmailSignIn(ctx);
    const application = applicationTypeOf(ctx, services.deployment.application);
    const flow = openFlow(services, sent.flow, { purpose: 'emailSignIn' });
    await limitPerAddress(ctx, {
      name: 'email-sign-in',
      most: services.config.LOGIN_FAILURES_PER_ADDRESS,
      windowMs: LIMIT_WINDOW_MS,
    });
    const said =
      sent.code === undefined
        ? ({ part: 'token', text: sent.token ?? '' } as const)
        : ({ part: 'code', text: readDigits(sent.code, 8) ?? '' } as const);
    const { mayTry, holder, memberId, right } = await compareMailedPart(ctx, flow, said);
    if (right === undefined) {
      await recordRefusal(ctx, { memberId, login: String(holder), outcome: mayTry ? 'failed' : 'locked' });
      services.log.security({
        event: mayTry ? 'login.failed' : 'login.limited',
        requestId: call.requestId,
        address: call.address,
        memberId,
        reason: 'email',
      });
      throw new AppError('invalid_credentials', { sent: 'code' });
    }
    const session = await finishSignIn(ctx, right.member, {
      kind: 'session',
      methods: ['email'],
      application,
      claim: right.claim,
      provesAddress: true,
    });
    services.wakeups.wake('mail');
    return toSignedIn(ctx, session);
  });
