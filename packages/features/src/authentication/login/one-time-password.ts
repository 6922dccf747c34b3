import {
  AppError,
  loginNameSchema,
  matchesOneTimePassword,
  submittedPasswordSchema,
} from '@gatehouse/auth-core';
import { consumeOneTimePassword, listOpenOneTimePasswords } from '@gatehouse/db';
import { z } from 'zod';
import { recordRefusal } from '../../audit/security-event/record-refusal.js';
import type { Context } from '../../core/app/context.js';
import { limitPerAddress } from '../../core/app/limit-per-address.js';
import { publicProcedure } from '../../core/app/procedures.js';
import { applicationTypeOf } from './application-type.js';
import { enforceOneTimePasswordLimit, MOST_PER_CODE } from './enforce-one-time-password-limit.js';
import { finishSignIn } from './finish-sign-in.js';
import { sessionView } from './login-views.js';
import { findOneTimePasswordHolder, type OneTimePasswordHolder } from './one-time-password-holder.js';

const LIMIT_WINDOW_MS = 15 * 60_000;

/** Used for a holder without a one-time password. */
const NONE = { id: 0, digest: '' };

/**
 * Signs in with a mailed one-time password: one of the newest, once, before it expires, within its attempts, and while
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
    const holder = await findOneTimePasswordHolder(services, input.email);
    const { member } = holder;
    const { mayTry, right } = await compareOneTimePassword(ctx, holder, input.password);
    if (right === undefined || !member) {
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
      claim: (tx) => consumeOneTimePassword(tx, right, services.now()),
      provesAddress: true,
    });
    services.wakeups.wake('mail');
    return session;
  });

/** Compares what was sent with each one-time password that counts, newest first. */
async function compareOneTimePassword(
  ctx: Context,
  { id, emailKey }: OneTimePasswordHolder,
  sent: string,
): Promise<{ mayTry: boolean; right: number | undefined }> {
  const { db, config, now } = ctx.services;
  const context = { memberId: id, emailKey, secret: config.SESSION_SECRET };
  const open = await listOpenOneTimePasswords(db, id, { most: MOST_PER_CODE, nowMs: now() });
  let mayTry = false;
  for (const password of open.length > 0 ? open : [NONE]) {
    const isCounted = await enforceOneTimePasswordLimit(ctx, id, password.id);
    const matches = matchesOneTimePassword(sent, password.digest, context);
    if (isCounted && matches) return { mayTry: true, right: password.id };
    mayTry ||= isCounted;
  }
  return { mayTry, right: undefined };
}
