import {
  AppError,
  loginNameSchema,
  matchesOneTimePassword,
  submittedPasswordSchema,
} from '@gatehouse/auth-core';
import { consumeOneTimePassword, findOneTimePassword } from '@gatehouse/db';
import { z } from 'zod';
import { limitPerAddress } from '../app/limit-per-address.js';
import { publicProcedure } from '../app/procedures.js';
import { recordRefusal } from '../security-event/record-refusal.js';
import { applicationTypeOf } from './application-type.js';
import { enforceOneTimePasswordLimit } from './enforce-one-time-password-limit.js';
import { finishSignIn } from './finish-sign-in.js';
import { sessionView } from './login-views.js';
import { findOneTimePasswordHolder } from './one-time-password-holder.js';

const LIMIT_WINDOW_MS = 15 * 60_000;

/** Used for a holder without a one-time password. */
const NONE = { id: 0, serial: 0, digest: '', createdAtMs: 0 };

/**
 * Signs in with a mailed one-time password: the newest one, once, before it expires, within its attempts, and while
 * it was mailed to the member's address. All other cases are `invalid_credentials`.
 */
export const oneTimePassword = publicProcedure
  .input(z.object({ email: loginNameSchema, password: submittedPasswordSchema }))
  .output(sessionView)
  .mutation(async ({ ctx, input }) => {
    const { services, call } = ctx;
    const application = applicationTypeOf(ctx, services.deployment.application);
    await limitPerAddress(ctx, {
      name: 'one-time-password',
      most: services.config.LOGIN_FAILURES_PER_ADDRESS,
      windowMs: LIMIT_WINDOW_MS,
    });
    const { id, emailKey, member } = await findOneTimePasswordHolder(services, input.email);
    const newest = (await findOneTimePassword(services.db, id)) ?? NONE;
    const mayTry = await enforceOneTimePasswordLimit(ctx, id, newest);
    const context = { memberId: id, emailKey, secret: services.config.SESSION_SECRET };
    const matches = matchesOneTimePassword(input.password, newest.digest, context);
    if (!mayTry || !matches || !member) {
      await recordRefusal(ctx, {
        memberId: member?.id,
        login: input.email,
        outcome: mayTry ? 'failed' : 'locked',
      });
      services.log.security({
        event: mayTry ? 'login.failed' : 'login.limited',
        requestId: call.requestId,
        address: call.address,
        memberId: member?.id,
        reason: 'one_time_password',
      });
      throw new AppError('invalid_credentials', { sent: 'oneTimePassword' });
    }
    const session = await finishSignIn(ctx, member, {
      kind: 'session',
      methods: ['otp-mail'],
      application,
      claim: (tx) => consumeOneTimePassword(tx, newest, services.now()),
      provesAddress: true,
    });
    services.wakeups.wake('mail');
    return session;
  });
