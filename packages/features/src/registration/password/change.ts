import { AppError, passwordSchema, submittedPasswordSchema } from '@gatehouse/auth-core';
import { endAllSessions, findMember, findMemberAddress, setPassword } from '@gatehouse/db';
import { enforceLimit } from '@gatehouse/runtime/limits/enforce-limit';
import { z } from 'zod';
import { changeDecided } from '../../audit/change-decided.js';
import { recordAudit } from '../../audit/record-audit.js';
import { checkPassword } from '../../authentication/check-password.js';
import { keptSession } from '../../authentication/session/end-sessions.js';
import { requireFreshWithFactor } from '../../core/guard/freshness.js';
import { notForOthersProcedure } from '../../core/guard/procedures.js';
import { appLink } from '../../mail/app-link.js';
import { queueMail } from '../../mail/queue-mail.js';
import { requireGoodPassword } from './require-good-password.js';
import { settleYoungerConnections, youngerConnectionView } from './younger-connections.js';

const CHANGES_PER_HOUR = 10;
const HOUR_MS = 3_600_000;

/**
 * Changes the caller's password, ends their other sessions and their auth_token, and notifies them by mail. It answers
 * the connections to providers that were made since the old password was set, and ends them too if asked to. Callers who
 * sign in in two steps must have verified who they are for that, as for removing one connection.
 */
export const change = notForOthersProcedure
  .input(
    z.object({
      currentPassword: submittedPasswordSchema,
      newPassword: passwordSchema,
      /** Whether the connections end that were made since the old password was set. */
      endConnections: z.boolean().optional(),
    }),
  )
  .output(
    z.object({
      message: z.string(),
      data: z.object({
        /** The connections that were made since the old password was set. */
        youngerConnections: z.array(youngerConnectionView),
        /** Whether they have ended. */
        connectionsEnded: z.boolean(),
      }),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { services, call } = ctx;
    const { memberId } = ctx.caller;
    const profile = await services.access.profile(ctx.caller.member);
    if (!profile) throw new AppError('unauthorized');
    if (!profile.hasPassword) throw new AppError('no_password');
    await requireGoodPassword(input.newPassword, profile, 'newPassword');
    const current = await checkPassword(ctx, profile.sid, input.currentPassword, 'currentPassword');
    if (current.id !== memberId) throw new AppError('invalid_credentials', { sent: 'currentPassword' });
    const key = `password-change:${memberId}`;
    await enforceLimit(services, { key, name: 'password-change', most: CHANGES_PER_HOUR, windowMs: HOUR_MS });
    const ends = input.endConnections === true;
    const hash = await services.passwords.hash(input.newPassword);
    const youngerConnections = await changeDecided(
      ctx,
      { members: [memberId] },
      async (tx, nowMs, decided) => {
        if (ends) await requireFreshWithFactor(decided, decided.caller);
        const { passwordChangedAtMs = null } = (await findMemberAddress(tx, memberId)) ?? {};
        const isChanged = await setPassword(tx, {
          memberId,
          hash,
          expectedPassword: current.password,
          nowMs,
        });
        if (!isChanged) throw new AppError('invalid_credentials', { sent: 'currentPassword' });
        const younger = await settleYoungerConnections(tx, decided, { passwordChangedAtMs, ends, nowMs });
        await endAllSessions(tx, memberId, { nowMs, keep: keptSession(ctx) });
        const { email = null } = (await findMember(tx, memberId)) ?? {};
        if (email !== null) {
          const link = appLink(services.config, 'forgot');
          await queueMail(tx, services, {
            kind: 'passwordChanged',
            to: email,
            memberId,
            data: { atMs: nowMs, link },
          });
        }
        await recordAudit(tx, ctx, {
          atMs: nowMs,
          action: 'password.changed',
          actorId: memberId,
          subjectKind: 'member',
          subjectId: memberId,
        });
        return younger;
      },
    );
    services.wakeups.wake('mail');
    services.log.security({
      event: 'password.changed',
      requestId: call.requestId,
      address: call.address,
      actorId: memberId,
      memberId,
    });
    return {
      message: 'The password is changed; your other sessions have ended',
      data: { youngerConnections, connectionsEnded: ends },
    };
  });
