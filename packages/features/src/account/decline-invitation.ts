import { AppError } from '@gatehouse/auth-core';
import { endInvitation, findInvitation, lockInvitation } from '@gatehouse/db/queries/invitations';
import { isProven } from '@gatehouse/db/queries/member-columns';
import { findMemberAddress, type MemberAddress } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { change } from '../audit/change.js';
import { recordAudit } from '../audit/record-audit.js';
import type { AccessReader } from '../core/access/access-reader.js';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import type { Context } from '../core/context.js';
import { type Caller, findCaller, identifyInPerson } from '../core/guard/caller.js';
import { preauthorize } from '../core/guard/guarded.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { LINK_REFUSALS, openLink, requireAnswerable } from './invitation-link.js';
import { stateNow } from './invitation-state.js';
import { invitationRecord, whichInvitation } from './inviter-rules.js';

/**
 * Declines an invitation. With its link anybody can do this; with its number only a session of the member
 * with that proven address. The link can still accept until it expires, because a program may have declined. Repeating
 * it changes nothing.
 */
export const declineInvitation = publicProcedure
  .meta({
    about: {
      summary: 'Decline an invitation, by its link or as the member it is for',
      refuses: [
        'unauthorized',
        'permission_denied',
        'enrolment_required',
        'verification_required',
        'not_found',
        ...LINK_REFUSALS,
      ],
    },
  })
  .input(whichInvitation)
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, path, input: { token, invitationId = 0 } }) => {
    const { services } = ctx;
    const { roles } = services;
    const byLink = token === undefined ? undefined : await openLink(services, token);
    const authorize = byLink ? whoeverCalls : callerInPerson;
    await preauthorize(ctx, authorize, path);
    const found = byLink?.invitation ?? (await findInvitation(services.db, invitationId));
    const subjects = found
      ? { lock: { accounts: [found.accountId] }, share: { members: [found.inviterId] } }
      : {};
    await change({ ...ctx, authorize }, { ...subjects, atAnyLevel: true }, async ({ tx, nowMs, caller }) => {
      const invitation = found && (await lockInvitation(tx, found.id));
      const address = caller && (await findMemberAddress(tx, caller.memberId));
      const isTheirs = byLink !== undefined || isProvenAddress(address, invitation?.emailKey);
      if (invitation === undefined || !isTheirs) throw new AppError('not_found');
      const isReplaced = byLink !== undefined && byLink.tokenKey !== invitation.tokenKey;
      if (invitation.status === 'declined' && !isReplaced) return;
      const state = await stateNow({ roles, access: createLockedReader(tx, nowMs), nowMs }, invitation);
      requireAnswerable(state, isReplaced);
      const endedById = caller?.memberId ?? null;
      const end = { invitationId: invitation.id, status: 'declined', endedById, nowMs } as const;
      if (!(await endInvitation(tx, end))) throw new AppError('invitation_used');
      const after = { ...invitation, status: end.status };
      await recordAudit(tx, ctx, {
        action: 'invitation.declined',
        ...invitationRecord('invitation.declined', invitation, after),
        atMs: nowMs,
        actorId: endedById,
      });
    });
    return { message: 'The invitation was declined' };
  });

/** The mailed link needs no session; if there is one, it is recorded. */
async function whoeverCalls(ctx: Context, access: AccessReader): Promise<{ caller: Caller | undefined }> {
  return { caller: await findCaller(ctx, access) };
}

async function callerInPerson(ctx: Context, access: AccessReader): Promise<{ caller: Caller | undefined }> {
  return { caller: await identifyInPerson(ctx, access) };
}

function isProvenAddress(address: MemberAddress | undefined, emailKey: string | undefined): boolean {
  return address !== undefined && isProven(address) && address.emailKey === emailKey;
}
