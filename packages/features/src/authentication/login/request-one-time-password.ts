import { digestOneTimePassword, generateOneTimePassword, loginNameSchema } from '@gatehouse/auth-core';
import { findNewestOneTimePassword, insertOneTimePassword } from '@gatehouse/db';
import { z } from 'zod';
import { askedFrom } from '../../core/app/asked-from.js';
import { publicProcedure } from '../../core/app/procedures.js';
import { limitMailRequests } from '../../mail/limit-mail-requests.js';
import { consumeMailLimit, storeHeldMail } from '../../mail/limit-mails.js';
import { writeMail } from '../../mail/queue-mail.js';
import { findOneTimePasswordHolder } from './one-time-password-holder.js';

const LIFE_MINUTES = 10;
/** A request this soon after the last one creates no new one-time password. */
const PAUSE_MS = 60_000;

/** Mails a one-time password to an administrator or staff member. The answer is the same for everybody else. */
export const requestOneTimePassword = publicProcedure
  .input(z.object({ email: loginNameSchema }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    await limitMailRequests(ctx);
    const { id, emailKey, member } = await findOneTimePasswordHolder(services, input.email);
    const password = generateOneTimePassword();
    const { SESSION_SECRET: secret } = services.config;
    const digest = digestOneTimePassword(password, { memberId: id, emailKey, secret });
    const nowMs = services.now();
    const expiresAtMs = nowMs + LIFE_MINUTES * 60_000;
    const last = await findNewestOneTimePassword(services.db, id);
    const isTooSoon = last !== undefined && last.createdAtMs > nowMs - PAUSE_MS;
    const share = await askedFrom(ctx, member?.id);
    if (!isTooSoon) {
      await services.db.transaction(async (tx) => {
        const mail = {
          kind: 'oneTimePassword',
          to: member?.email ?? input.email,
          ...(member ? { memberId: id } : { isVoid: true }),
          share,
          data: { password, minutes: LIFE_MINUTES },
        } as const;
        // An address at its mail limit keeps the one-time passwords it has.
        if (!(await consumeMailLimit(tx, services, mail)))
          return void (await storeHeldMail(tx, services, mail));
        const isNew = await insertOneTimePassword(tx, {
          memberId: id,
          digest,
          nowMs,
          expiresAtMs,
          pauseMs: PAUSE_MS,
        });
        if (isNew) await writeMail(tx, services, mail);
      });
    }
    services.wakeups.wake('mail');
    return { message: 'If that address may sign in this way, a mail is on its way' };
  });
