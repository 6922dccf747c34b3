import { AppError, passwordSchema } from '@gatehouse/auth-core';
import { endAllSessions, findMember, setPassword } from '@gatehouse/db';
import { z } from 'zod';
import { changeDecided } from '../../audit/change-decided.js';
import { recordAudit } from '../../audit/record-audit.js';
import { keptSession } from '../../authentication/session/end-sessions.js';
import { freshProcedure } from '../../core/guard/procedures.js';
import { appLink } from '../../mail/app-link.js';
import { queueMail } from '../../mail/queue-mail.js';
import { requireGoodPassword } from './require-good-password.js';

/**
 * Sets the first password of a member who came through a provider or a partner, ends their other sessions,
 * and notifies them by mail.
 */
export const set = freshProcedure
  .meta({
    about: { summary: 'Set a first password', refuses: ['password_exists', 'unconfirmed'] },
  })
  .input(z.strictObject({ newPassword: passwordSchema }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { newPassword } }) => {
    const { services, call } = ctx;
    const { memberId } = ctx.caller;
    const profile = await services.access.profile(ctx.caller.member);
    if (!profile) throw new AppError('unauthorized');
    requireNone(profile);
    await requireGoodPassword(newPassword, profile, 'newPassword');
    const hash = await services.passwords.hash(newPassword);
    await changeDecided(ctx, { members: [memberId] }, async (tx, nowMs, decided) => {
      const member = await findMember(tx, memberId);
      if (!member) throw new AppError('unauthorized');
      const to = requireNone(member);
      await setPassword(tx, { memberId, hash, nowMs });
      await endAllSessions(tx, memberId, { nowMs, keep: keptSession(decided) });
      const link = appLink(services.config, 'forgot');
      await queueMail(tx, services, { kind: 'passwordChanged', to, memberId, data: { atMs: nowMs, link } });
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'password.set',
        actorId: memberId,
        subjectKind: 'member',
        subjectId: memberId,
      });
    });
    services.wakeups.wake('mail');
    services.log.security({
      event: 'password.changed',
      requestId: call.requestId,
      address: call.address,
      actorId: memberId,
      memberId,
    });
    return { message: 'The password is set; your other sessions have ended' };
  });

/** The confirmed address of a member without a password. */
function requireNone(member: {
  hasPassword: boolean;
  email: string | null;
  emailConfirmedAtMs: number | null;
}): string {
  if (member.hasPassword) throw new AppError('password_exists');
  if (member.email === null || member.emailConfirmedAtMs === null) throw new AppError('unconfirmed');
  return member.email;
}
