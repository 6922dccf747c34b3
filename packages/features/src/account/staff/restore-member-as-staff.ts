import { AppError } from '@gatehouse/auth-core';
import { findDeletedMember, findMember } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import { procedure } from '../../core/guard/procedure.js';
import { reason } from '../../core/inputs.js';
import { memberView, toMemberView } from '../../core/member-view.js';
import { bringBack, findReturning } from '../bring-back.js';
import { restorableSince } from '../restore-own-member.js';

/**
 * Brings back a member who deleted themselves, or whom staff deleted, until the grace is over: with the memberships and
 * accounts that ended with the deletion. Sessions stay ended. Repeating it changes nothing.
 */
export const restoreMemberAsStaff = procedure({ who: 'root' })
  .meta({ about: { summary: 'Restore a deleted member', refuses: ['not_found', 'grace_over'] } })
  .input(z.object({ memberId: z.int().positive(), reason }))
  .output(z.object({ message: z.string(), data: memberView }))
  .mutation(async ({ ctx, input }) => {
    const { db, config } = ctx.services;
    const { memberId } = input;
    const returning = await findReturning(db, memberId);
    const { closed, placed, granters } = returning;
    const subjects = {
      announce: { members: [memberId], accounts: closed },
      share: { accounts: placed, members: granters },
    };
    const data = await changeAndRecord(ctx, subjects, async ({ tx, nowMs, caller }) => {
      const before = await findDeletedMember(tx, memberId);
      const present = await findMember(tx, memberId);
      if (!before || !present) throw new AppError('not_found');
      if (!before.isDeleted) return { result: toMemberView(present, nowMs), record: undefined };
      const reopened = await bringBack(ctx, tx, createLockedReader(tx, nowMs), {
        memberId,
        actorId: caller.memberId,
        removedSinceMs: restorableSince(config, nowMs),
        returning,
        nowMs,
      });
      const { deletedAtMs } = before;
      return {
        result: toMemberView(present, nowMs),
        record: {
          action: 'member.restored',
          onBehalfOfId: memberId,
          subjectKind: 'member',
          subjectId: memberId,
          before: { deletedAt: deletedAtMs === null ? null : new Date(deletedAtMs).toISOString() },
          after: { accounts: reopened, reason: input.reason },
        },
      };
    });
    ctx.services.wakeups.wake('mail');
    return { message: 'The member has been restored', data };
  });
