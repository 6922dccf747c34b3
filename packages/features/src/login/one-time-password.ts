import {
  AppError,
  loginNameSchema,
  matchesOneTimePassword,
  submittedPasswordSchema,
} from '@gatehouse/auth-core';
import { consumeOneTimePassword, findOneTimePassword } from '@gatehouse/db';
import { limitPerAddress } from '@gatehouse/features/app/limit-per-address';
import { publicProcedure } from '@gatehouse/features/app/procedures';
import { applicationTypeOf, requireAllowedRole } from '@gatehouse/features/login/application-type';
import { sessionView } from '@gatehouse/features/login/login-views';
import { openSession } from '@gatehouse/features/login/open-session';
import { z } from 'zod';
import { findOneTimePasswordHolder } from './one-time-password-holder.js';
import { takeOneTimePasswordTry } from './take-one-time-password-try.js';

const LIMIT_WINDOW_MS = 15 * 60_000;

/** Stands for the newest one-time password of a holder who has had none. */
const NONE = { id: 0, serial: 0, digest: '', createdAtMs: 0 };

/**
 * Signs in with a mailed one-time password: the newest, once, within its life, and as long as its budgets of tries
 * last. Everything else is `invalid_credentials`, whatever the reason.
 */
export const oneTimePassword = publicProcedure
  .input(z.object({ email: loginNameSchema, password: submittedPasswordSchema }))
  .output(sessionView)
  .mutation(async ({ ctx, input }) => {
    const { kit, call } = ctx;
    const application = applicationTypeOf(ctx, kit.deployment.application);
    await limitPerAddress(ctx, {
      name: 'one-time-password',
      most: kit.config.LOGIN_FAILURES_PER_ADDRESS,
      windowMs: LIMIT_WINDOW_MS,
    });
    const { id, member } = await findOneTimePasswordHolder(kit, input.email);
    const newest = (await findOneTimePassword(kit.db, id)) ?? NONE;
    const mayTry = await takeOneTimePasswordTry(ctx, id, newest);
    const context = { memberId: id, secret: kit.config.SESSION_SECRET };
    const matches = matchesOneTimePassword(input.password, newest.digest, context);
    if (!mayTry || !matches || !member) {
      kit.log.security({
        event: mayTry ? 'login.failed' : 'login.limited',
        requestId: call.requestId,
        address: call.address,
        memberId: member?.id,
        reason: 'one_time_password',
      });
      throw new AppError('invalid_credentials');
    }
    requireAllowedRole(ctx, member, application);
    const session = await openSession(ctx, member, 'session', {
      claim: (tx) => consumeOneTimePassword(tx, newest, kit.now()),
      provesAddress: true,
    });
    kit.wakeups.wake('mail');
    return session;
  });
