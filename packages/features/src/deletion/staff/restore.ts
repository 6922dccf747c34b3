import { AppError } from '@gatehouse/auth-core';
import {
  findDeletedMember,
  findMember,
  listAccountsClosedWith,
  reopenAccount,
  restoreMember,
} from '@gatehouse/db';
import { z } from 'zod';
import { memberView, toMemberView } from '../../app/member-view.js';
import { rootProcedure } from '../../app/procedures.js';
import { reason } from '../../app/reason.js';
import { makeChange } from '../../audit/make-change.js';
import { changeStaff } from '../../staff-authority/change-staff.js';
import { restorableSince } from '../restorable-since.js';

/**
 * Brings back a member who deleted themselves, or whom staff deleted, until the grace is over: with what ended along,
 * and with the accounts closed along. Sessions stay ended. Repeating it changes nothing.
 */
export const restore = rootProcedure
  .meta({ about: { summary: 'Restore a deleted member', refuses: ['not_found', 'grace_over'] } })
  .input(z.object({ memberId: z.int().positive(), reason }))
  .output(z.object({ message: z.string(), data: memberView }))
  .mutation(async ({ ctx, input }) => {
    const { db, config } = ctx.services;
    const { memberId } = input;
    const accounts = await listAccountsClosedWith(db, memberId);
    const subjects = { members: [memberId], accounts };
    const data = await makeChange(ctx, subjects, async (tx, nowMs, decided) => {
      const before = await findDeletedMember(tx, memberId);
      const present = await findMember(tx, memberId);
      if (!before || !present) throw new AppError('not_found');
      if (!before.isDeleted) return { result: toMemberView(present), record: undefined };
      const closed = await listAccountsClosedWith(tx, memberId);
      // They were deleted again after the accounts to lock were chosen.
      if (closed.some((id) => !accounts.includes(id))) {
        throw new AppError('unavailable', { retryAfterSeconds: 1 });
      }
      const removedSinceMs = restorableSince(config, nowMs);
      const who = { memberId, actorId: decided.caller.memberId, nowMs };
      const isBack = await changeStaff(ctx, tx, who, (staffTx) =>
        restoreMember(staffTx, { memberId, removedSinceMs, nowMs }),
      );
      if (!isBack) throw new AppError('grace_over');
      const reopened: number[] = [];
      for (const accountId of closed) {
        if (await reopenAccount(tx, { accountId, nowMs })) reopened.push(accountId);
      }
      const { deletedAtMs } = before;
      return {
        result: toMemberView(present),
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
    return { message: 'The member is back', data };
  });
