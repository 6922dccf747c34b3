import { AppError } from '@gatehouse/auth-core';
import {
  endPartnerLink,
  findAccountState,
  findDecidableMembership,
  hasPartnerLink,
  releasePartnerLink,
  settleHeldMembership,
} from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../audit/make-change.js';
import type { Caller } from '../../core/guard/caller.js';
import type { Undecided } from '../../core/guard/guarded.js';
import { requireLevelOf } from '../../core/guard/level.js';
import { freshProcedure } from '../../core/guard/procedures.js';
import { mailName } from '../../mail/mail-name.js';
import { tellMember } from '../ownership/tell-member.js';

const id = z.int().positive().optional();

const input = z
  .strictObject({ membershipId: id, partnerId: id, keep: z.boolean() })
  .refine(({ membershipId, partnerId }) => (membershipId === undefined) !== (partnerId === undefined), {
    message: 'Send either a membershipId or a partnerId',
  });

/**
 * Says yes or no to somebody, or to a partner, who was let in before the owner of the address was proven: lets them in
 * again, or removes them for good. Only the primary owner of the account decides about its members, in a session that the
 * account does not refuse. A repeated yes changes nothing.
 */
export const decide = freshProcedure
  .meta({
    about: {
      summary: 'Decide about somebody who was let in before the owner of the address was proven',
      refuses: ['not_found'],
    },
  })
  .input(input)
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { membershipId, partnerId = 0, keep } }) => {
    if (membershipId === undefined) await decidePartner(ctx, partnerId, keep);
    else await decideMembership(ctx, membershipId, keep);
    ctx.services.wakeups.wake('mail');
    return { message: keep ? 'They are let in again' : 'They stay out' };
  });

type Deciding = Undecided<{ readonly caller: Caller }> & { readonly caller: Caller };

async function decideMembership(ctx: Deciding, membershipId: number, keep: boolean): Promise<void> {
  const { services } = ctx;
  const found = await findDecidableMembership(services.db, membershipId);
  const subjects = found ? { members: [found.memberId], among: [found.accountId] } : {};
  await makeChange(ctx, subjects, async (tx, nowMs, decided) => {
    const place = await findDecidableMembership(tx, membershipId);
    const account = place && (await findAccountState(tx, place.accountId));
    const isOwn = account?.ownerId === decided.caller.memberId && !account.isDeleted;
    if (place === undefined || account === undefined || !isOwn) throw new AppError('not_found');
    requireLevelOf(decided, decided.caller, account);
    const { memberId, accountId, roleType, customRoleId } = place;
    if (place.heldSinceMs === null) {
      if (keep && place.active) return { result: undefined, record: undefined };
      throw new AppError('not_found');
    }
    if (!(await settleHeldMembership(tx, { membershipId, keep, nowMs }))) throw new AppError('not_found');
    if (!keep) {
      const told = { accountName: mailName(account.name), atMs: nowMs };
      await tellMember(tx, services, { kind: 'removedFromAccount', memberId, data: told });
    }
    const role = { roleType, customRoleId };
    return {
      result: undefined,
      record: {
        action: keep ? 'membership.kept' : 'membership.removed',
        accountId,
        onBehalfOfId: memberId,
        subjectKind: 'membership',
        subjectId: `${accountId}/${memberId}`,
        before: { ...role, active: false },
        after: keep ? { ...role, active: true } : null,
      },
    };
  });
}

async function decidePartner(ctx: Deciding, partnerId: number, keep: boolean): Promise<void> {
  const { memberId } = ctx.caller;
  await makeChange(ctx, { members: [memberId] }, async (tx, nowMs) => {
    const link = { partnerId, memberId };
    const isDecided = keep
      ? await releasePartnerLink(tx, link)
      : await endPartnerLink(tx, { ...link, isHeld: true, nowMs });
    if (!isDecided) {
      if (keep && (await hasPartnerLink(tx, link))) return { result: undefined, record: undefined };
      throw new AppError('not_found');
    }
    return {
      result: undefined,
      record: {
        action: keep ? 'partner.link_kept' : 'partner.link_ended',
        subjectKind: 'member',
        subjectId: memberId,
        before: null,
        after: { partnerId },
      },
    };
  });
}
