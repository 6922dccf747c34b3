import { emailKey, loginNameSchema, TOKEN_LIVES_SECONDS } from '@gatehouse/auth-core';
import { findCredential, findMemberAddress, findReturningHolder, isActiveAt } from '@gatehouse/db';
import { z } from 'zod';
import { publicProcedure } from '../../core/guard/procedures.js';
import { askedFrom } from '../../core/rate-limit/known-device.js';
import { limitMailRequests } from '../../mail/limit-mail-requests.js';
import { queueMail } from '../../mail/queue-mail.js';
import { resetLink } from '../../mail/reset-link.js';
import { mailReturn } from '../../mail/restore-link.js';

/** The member id in the link of a mail that is never delivered; no member has it. */
const NOBODY = Number.MAX_SAFE_INTEGER;

/**
 * Mails a link to set a new password. The answer and the work are the same for an unknown address: the mail
 * is written too, and never delivered. Somebody who deleted themselves gets the link to come back in its place.
 */
export const forgot = publicProcedure
  .input(z.object({ email: loginNameSchema }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    await limitMailRequests(ctx);
    const key = emailKey(input.email);
    const nowMs = services.now();
    const found = await findCredential(services.db, key);
    const member = await findMemberAddress(services.db, found?.id ?? NOBODY);
    const deleted = await findReturningHolder(services.db, { emailKey: key, nowMs });
    const isOpen = member && isActiveAt(member, nowMs);
    const recipient = isOpen && member.email !== null ? { ...member, email: member.email } : undefined;
    const subject = recipient ?? { id: NOBODY, email: input.email, passwordChangedAtMs: null };
    const data = {
      link: resetLink(services, subject, TOKEN_LIVES_SECONDS.passwordReset),
      minutes: TOKEN_LIVES_SECONDS.passwordReset / 60,
    };
    const share = await askedFrom(ctx, recipient?.id ?? deleted?.id);
    await services.db.transaction(async (tx) => {
      if (recipient === undefined && deleted !== undefined)
        return mailReturn(tx, services, { deleted, share });
      await queueMail(tx, services, {
        kind: 'passwordReset',
        to: recipient?.email ?? input.email,
        ...(recipient ? { memberId: recipient.id } : { isVoid: true }),
        share,
        data,
      });
    });
    services.wakeups.wake('mail');
    return { message: 'If that address is known, a mail is on its way' };
  });
