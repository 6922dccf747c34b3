import { AppError, passwordPolicy, passwordSchema, submittedPasswordSchema } from '@gatehouse/auth-core';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { setPassword } from '@gatehouse/db/queries/passwords';
import { listYoungerConnections, removeConnections } from '@gatehouse/db/queries/read-connections';
import { findMember, findMemberAddress } from '@gatehouse/db/queries/read-members';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { change } from '../audit/change.js';
import { recordAudit } from '../audit/record-audit.js';
import { checkPassword } from '../authentication/check-password.js';
import { keptSession } from '../authentication/session/end-sessions.js';
import type { Context } from '../core/context.js';
import type { Caller } from '../core/guard/caller.js';
import { FRESH, requireFreshWithFactor } from '../core/guard/freshness.js';
import { procedure } from '../core/guard/procedure.js';
import { findSocialProviderById } from '../core/social-providers/social-providers.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';

/**
 * Checks a new password against the policy; `field` is its name in the input.
 * @throws {AppError} `invalid_input` with an issue for each problem
 */
export async function requireGoodPassword(
  password: string,
  member: { readonly email: string | null; readonly username: string },
  field: string,
): Promise<void> {
  const issues = await passwordPolicy(password, member);
  if (issues.length === 0) return;
  throw new AppError('invalid_input', {
    issues: issues.map(({ message }) => ({ path: field, message })),
  });
}

/** A connection that was made while the old password was in force. */
const youngerConnectionView = z.object({
  id: z.int(),
  /** The key of the provider, as in URLs. */
  provider: z.string(),
  displayName: z.string().nullable(),
  email: z.string().nullable(),
  createdAt: z.iso.datetime(),
});

/**
 * The caller's connections that are newer than the old password: somebody who knew that password could have made any of them.
 * Ends them if requested. This function's caller has locked the member, and ends the sessions.
 */
async function settleYoungerConnections(
  tx: AccessTransaction,
  ctx: Context & { readonly caller: Caller },
  change: { readonly passwordChangedAtMs: number | null; readonly ends: boolean; readonly nowMs: number },
): Promise<z.output<typeof youngerConnectionView>[]> {
  const { passwordChangedAtMs, ends, nowMs } = change;
  const { memberId } = ctx.caller;
  const younger = await listYoungerConnections(tx, { memberId, passwordChangedAtMs });
  if (ends) {
    await removeConnections(tx, { memberId, ids: younger.map(({ id }) => id) });
    for (const { id } of younger) {
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'connection.removed',
        actorId: memberId,
        subjectKind: 'connection',
        subjectId: id,
      });
    }
  }
  return younger.map(({ id, providerId, displayName, email, createdAtMs }) => ({
    id,
    provider: findSocialProviderById(providerId)?.key ?? 'unknown',
    displayName,
    email,
    createdAt: new Date(createdAtMs).toISOString(),
  }));
}

const CHANGES_PER_HOUR = 10;
const HOUR_MS = 3_600_000;

/**
 * Changes the caller's password, ends their other sessions and their auth_token, and notifies them by mail. It returns the
 * connections to providers that were made since the old password was set, and ends them too if requested. For that, callers who
 * sign in in two steps must be recently verified, as for removing one connection.
 */
export const changeOwnPassword = procedure({ who: 'member', byThemselves: true })
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
    const current = await checkPassword(ctx, profile.sid, input.currentPassword, {
      sent: 'currentPassword',
      kind: 'verification',
    });
    if (current.id !== memberId) throw new AppError('invalid_credentials', { sent: 'currentPassword' });
    const key = `password-change:${memberId}`;
    await enforceLimit(services, { key, name: 'password-change', most: CHANGES_PER_HOUR, windowMs: HOUR_MS });
    const ends = input.endConnections === true;
    const hash = await services.passwords.hash(input.newPassword);
    const youngerConnections = await change(
      ctx,
      { announce: { members: [memberId] } },
      async ({ tx, nowMs, ...authorized }) => {
        if (ends) await requireFreshWithFactor(authorized, authorized.caller);
        const { passwordChangedAtMs = null } = (await findMemberAddress(tx, memberId)) ?? {};
        const isChanged = await setPassword(tx, {
          memberId,
          hash,
          expectedPassword: current.password,
          nowMs,
        });
        if (!isChanged) throw new AppError('invalid_credentials', { sent: 'currentPassword' });
        const younger = await settleYoungerConnections(tx, authorized, { passwordChangedAtMs, ends, nowMs });
        await endAllSessions(tx, memberId, {
          nowMs,
          reason: 'password_changed',
          endedById: memberId,
          keep: keptSession(ctx),
        });
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

/**
 * Sets the first password of a member who came through a provider or a partner, ends their other sessions,
 * and notifies them by mail.
 */
export const set = procedure({ who: 'member', inPerson: true, fresh: FRESH })
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
    await change(ctx, { announce: { members: [memberId] } }, async ({ tx, nowMs, ...authorized }) => {
      const member = await findMember(tx, memberId);
      if (!member) throw new AppError('unauthorized');
      const to = requireNone(member);
      await setPassword(tx, { memberId, hash, nowMs });
      await endAllSessions(tx, memberId, {
        nowMs,
        reason: 'password_changed',
        endedById: memberId,
        keep: keptSession(authorized),
      });
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
