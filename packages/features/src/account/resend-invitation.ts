import { AppError } from '@gatehouse/auth-core';
import { lockInvitation } from '@gatehouse/db/queries/invitations';
import type { InvitationRow } from '@gatehouse/db/queries/read-invitations';
import type { ProcedureAbout } from '@gatehouse/http/trpc/procedure-rule';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { mailProofIfUnconfirmed } from '../authentication/sign-in-mail.js';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import { offeredRole, requireConfirmed } from '../core/authority/given-role.js';
import { isMachine } from '../core/guard/caller.js';
import { accountProcedure } from '../core/guard/procedure.js';
import { stateNow, staysInviter } from './invitation-state.js';
import { invitationView, shownInvitation } from './invitation-view.js';
import {
  days,
  findOwnAccount,
  type InviterContext,
  invitationId,
  invitationRecord,
  requireFreshFor,
  requireOfferable,
  requireRoom,
} from './inviter-rules.js';
import { limitsWithin, sendInvitation } from './send-invitation.js';

const MINUTE_MS = 60_000;

const DAY_MS = 86_400_000;

const MAX_PER_DAY = 5;

const input = z.object({ invitationId, days });

/**
 * Mails a new link of an unanswered invitation, which replaces the earlier links. If the inviter may no
 * longer invite, or to the role of an owner without a proven address, the caller becomes the inviter.
 */
export const invitationResending = {
  about: {
    summary: 'Mail an invitation again',
    refuses: [
      'verification_required',
      'unconfirmed',
      'not_found',
      'invitation_used',
      'invitation_limit',
      'rate_limited',
    ],
  } satisfies ProcedureAbout,
  input,
  output: z.object({ message: z.string(), data: invitationView }),
  async run(ctx: InviterContext, which: z.output<typeof input>) {
    const data = await mailProofIfUnconfirmed(ctx, ctx.caller, () => resend(ctx, which));
    ctx.services.wakeups.wake('mail');
    return { message: 'The invitation has been sent again', data };
  },
};

function resend(ctx: InviterContext, { invitationId: id, days: daysValid }: z.output<typeof input>) {
  const { services } = ctx;
  const { roles } = services;
  const accountId = ctx.account.id;
  return changeAndRecord(ctx, { lock: { accounts: [accountId] } }, async ({ tx, nowMs, ...authorized }) => {
    const authorize = { db: tx, roles, access: createLockedReader(tx, nowMs), nowMs };
    const invitation = await lockInvitation(tx, id);
    if (invitation?.accountId !== accountId) throw new AppError('not_found');
    const account = await findOwnAccount(authorized, tx);
    const offered = offeredRole(roles, account, invitation);
    if (!offered) throw new AppError('not_found');
    requireOfferable(authorized, account, offered);
    if (invitation.status !== 'open') throw new AppError('invitation_used');
    const keepsInviter = await staysInviter(authorize, invitation, offered);
    const inviterId = keepsInviter ? invitation.inviterId : authorized.caller.memberId;
    if (!keepsInviter) {
      await requireFreshFor(authorized, offered.roleType);
      if (!isMachine(authorized.caller))
        await requireConfirmed(tx, services, { memberId: inviterId, roleType: offered.roleType });
    }
    if ((await stateNow(authorize, invitation)) !== 'pending') await requireRoom(authorize, accountId);
    requirePause(invitation, nowMs);
    const key = `invitation-resend:${id}`;
    const limit = { key, name: 'invitation-resend', most: MAX_PER_DAY, windowMs: DAY_MS };
    await enforceLimit(limitsWithin(tx, services), limit);
    const offer = { inviterId, roleType: offered.roleType, customRoleId: invitation.customRoleId };
    const mail = { ...offer, accountName: account.name, days: daysValid, nowMs };
    const sent = await sendInvitation(tx, services, invitation, mail);
    return {
      result: await shownInvitation(authorize, id, authorized.caller.member),
      record: invitationRecord('invitation.resent', invitation, sent),
    };
  });
}

/** @throws {AppError} `rate_limited` within a minute of the previous mail */
function requirePause({ lastSentAtMs }: InvitationRow, nowMs: number): void {
  const leftMs = lastSentAtMs === null ? 0 : lastSentAtMs + MINUTE_MS - nowMs;
  if (leftMs <= 0) return;
  throw new AppError('rate_limited', {
    retryAfterSeconds: Math.ceil(leftMs / 1000),
    policy: { name: 'invitation-resend', quota: 1, windowSeconds: MINUTE_MS / 1000 },
  });
}

/**
 * Mails a new link of an unanswered invitation, which replaces the earlier links. If the inviter may no
 * longer invite, the caller becomes the inviter.
 */
export const resendInvitation = accountProcedure('member.manage', { inPerson: true, programs: true })
  .meta({ about: invitationResending.about })
  .input(invitationResending.input)
  .output(invitationResending.output)
  .mutation(({ ctx, input }) => invitationResending.run(ctx, input));
