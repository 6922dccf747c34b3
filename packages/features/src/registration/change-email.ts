import { AppError, emailKey, emailSchema } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { clearPendingAddress, setPendingAddress } from '@gatehouse/db/queries/pending-addresses';
import { findMember, findMemberAddress, type MemberAddress } from '@gatehouse/db/queries/read-members';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { change, changeAndRecord } from '../audit/change.js';
import type { Services } from '../core/context.js';
import { FRESH } from '../core/guard/freshness.js';
import { procedure } from '../core/guard/procedure.js';
import { awaitedEnds } from '../core/member-view.js';
import { appLink } from '../mail/app-link.js';
import { queueMail } from '../mail/queue-mail.js';
import { mailConfirmation, queueActivation } from './mail-confirmation.js';

/**
 * Writes the mail that asks the present mailbox to agree to a change of address.
 * @param sinceMs when the change was requested, which identifies it
 * @returns false if the address has reached the limit of such mails
 */
async function queueApproval(
  tx: Database,
  services: Services,
  { memberId, to, sinceMs }: { memberId: number; to: string; sinceMs: number },
): Promise<boolean> {
  const data = { link: approvalLink(services, { memberId, sinceMs }) };
  return queueMail(tx, services, { kind: 'addressApproval', to, memberId, data });
}

/**
 * A link to the page where the present mailbox answers a change of address.
 * @param sinceMs when the change was requested, which identifies it
 */
export function approvalLink(
  { config, tokens }: Pick<Services, 'config' | 'tokens'>,
  { memberId, sinceMs }: { memberId: number; sinceMs: number },
): string {
  const { token } = tokens.sealOneUse(
    { type: 'emailApproval', userId: memberId, sinceMs },
    config.JWT_EXPIRES_IN,
  );
  return appLink(config, 'email-approval', token);
}

const CHANGES_PER_HOUR = 3;
const HOUR_MS = 3_600_000;

/**
 * Requests another address. It takes effect once its mailbox has agreed and, if the present address is
 * confirmed, the present mailbox too, in any order. Requesting the present address cancels the change. Only
 * the new mailbox learns whether somebody else has that address.
 */
export const changeEmail = procedure({ who: 'member', inPerson: true, fresh: FRESH })
  .meta({ about: { summary: "Ask for another e-mail address of one's own", refuses: ['rate_limited'] } })
  .input(z.strictObject({ email: emailSchema }))
  .output(
    z.object({
      message: z.string(),
      data: z.object({ pendingEmail: z.string().nullable(), awaits: z.array(z.enum(['old', 'new'])) }),
    }),
  )
  .mutation(async ({ ctx, input: { email } }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const profile = await services.access.profile(ctx.caller.member);
    const isSame = (present: string | null | undefined) =>
      typeof present === 'string' && emailKey(present) === emailKey(email);
    if (!isSame(profile?.email)) {
      const key = `email-change:${memberId}`;
      await enforceLimit(services, { key, name: 'email-change', most: CHANGES_PER_HOUR, windowMs: HOUR_MS });
    }
    const result = await changeAndRecord(
      ctx,
      { announce: { members: [memberId] } },
      async ({ tx, nowMs, caller }) => {
        const present = await findMemberAddress(tx, memberId);
        if (!present) throw new AppError('unauthorized');
        const isCancel = isSame(present.email);
        const sessionId = caller.session.id;
        const isChanged = isCancel
          ? await clearPendingAddress(tx, { memberId, nowMs })
          : await startChange(tx, services, { present, email, sessionId });
        const after = await findMember(tx, memberId);
        if (!after) throw new AppError('unauthorized');
        const message = isCancel
          ? 'The address stays as it is'
          : 'The address changes once every mailbox that was asked has agreed';
        return {
          result: { message, data: { pendingEmail: after.pendingEmail, awaits: awaitedEnds(after) } },
          record: isChanged
            ? {
                action: isCancel ? 'address.change-cancelled' : 'address.change-requested',
                subjectKind: 'member',
                subjectId: memberId,
                before: { pendingEmail: present.pendingEmail },
                after: { pendingEmail: after.pendingEmail },
              }
            : undefined,
        };
      },
    );
    services.wakeups.wake('mail');
    return result;
  });

async function startChange(
  tx: AccessTransaction,
  services: Services,
  { present, email, sessionId }: { present: MemberAddress; email: string; sessionId: number | undefined },
): Promise<true> {
  const memberId = present.id;
  // Each change has a distinct time, which identifies it in the link to the present mailbox.
  const nowMs = Math.max(services.now(), (present.pendingSinceMs ?? 0) + 1);
  const old = present.emailConfirmedAtMs === null ? null : present.email;
  const awaits = old === null ? 'new' : 'both';
  await setPendingAddress(tx, { memberId, email, emailKey: emailKey(email), awaits, nowMs });
  await queueActivation(tx, services, {
    memberId,
    email,
    sessionId: present.email === null ? sessionId : undefined,
    changes: present,
  });
  if (old !== null) await queueApproval(tx, services, { memberId, to: old, sinceMs: nowMs });
  return true;
}

const ROUNDS_PER_HOUR = 3;

/** Mails the links of a pending change of address again, but only to the mailboxes that have not agreed yet. */
export const resend = procedure({ who: 'member', inPerson: true })
  .meta({
    about: {
      summary: 'Send the mails of a change of address again',
      refuses: ['not_found', 'rate_limited'],
    },
  })
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx }) => {
    const { services } = ctx;
    const { memberId, session } = ctx.caller;
    const key = `email-resend:${memberId}`;
    await enforceLimit(services, { key, name: 'email-resend', most: ROUNDS_PER_HOUR, windowMs: HOUR_MS });
    await change(ctx, {}, async ({ tx }) => {
      const address = await findMemberAddress(tx, memberId);
      const awaited = address === undefined ? [] : awaitedEnds(address);
      if (address === undefined || awaited.length === 0) throw new AppError('not_found');
      const { email, pendingSinceMs } = address;
      if (awaited.includes('new')) await mailConfirmation(tx, services, { memberId, sessionId: session.id });
      if (awaited.includes('old') && email !== null && pendingSinceMs !== null)
        await queueApproval(tx, services, { memberId, to: email, sinceMs: pendingSinceMs });
    });
    services.wakeups.wake('mail');
    return { message: 'We have sent the emails' };
  });
