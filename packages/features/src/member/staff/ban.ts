import { AppError } from '@gatehouse/auth-core';
import { listPrimaryAccounts } from '@gatehouse/db';
import { z } from 'zod';
import { changedFields } from '../../audit/changed-fields.js';
import { makeChange } from '../../audit/make-change.js';
import { MEMBER_NEEDS } from '../../core/authority/authority-over.js';
import { banMember } from '../../core/authority/base-role.js';
import { lockSubject } from '../../core/authority/require-authority.js';
import { FRESH } from '../../core/guard/freshness.js';
import { staffScopedProcedure } from '../../core/guard/procedures.js';
import { instant, reason } from '../../core/inputs.js';
import { changeStaff } from '../staff-authority/change-staff.js';

const MOST_YEARS = 5;

/**
 * Bans a member: their sessions end, and every request from the next one on is refused. They keep role and
 * label. A ban with an end ends at that time on every node.
 */
export const ban = staffScopedProcedure('member.manage', { fresh: FRESH })
  .meta({ about: { summary: 'Ban a member', refuses: ['not_found', 'last_administrator'] } })
  .input(
    z.object({
      memberId: z.number().int().positive(),
      reason: reason.optional(),
      /** When it ends by itself, at most five years from now; without it, when it is lifted. */
      until: instant.optional(),
    }),
  )
  .output(
    z.object({
      message: z.string(),
      data: z.object({
        /** The accounts without a primary owner during the ban. */
        ownerlessAccounts: z.array(z.object({ id: z.int(), name: z.string() })),
      }),
    }),
  )
  .mutation(async ({ ctx, input: { memberId, reason: why, until: untilMs = null } }) => {
    const banned = await makeChange(ctx, { members: [memberId] }, async (tx, nowMs, decided) => {
      const { member } = await lockSubject(decided, tx, { memberId, nowMs }, MEMBER_NEEDS.ban);
      if (untilMs !== null) requireWithinYears(untilMs, nowMs);
      const bannedById = decided.caller.memberId;
      const who = { memberId, actorId: bannedById, nowMs };
      const { before, after } = await changeStaff(ctx, tx, who, (staffTx) =>
        banMember(staffTx, ctx.services.roles, member, { untilMs, reason: why, bannedById, nowMs }),
      );
      const changed = changedFields({ ...before }, { ...after });
      return {
        result: {
          message: 'The member is banned',
          data: { ownerlessAccounts: await listPrimaryAccounts(tx, memberId) },
        },
        record: changed && {
          action: 'member.banned',
          onBehalfOfId: memberId,
          subjectKind: 'member',
          subjectId: memberId,
          ...changed,
        },
      };
    });
    ctx.services.wakeups.wake('mail');
    return banned;
  });

/** @throws {AppError} `invalid_input` unless it is in the future, by at most five years */
function requireWithinYears(untilMs: number, nowMs: number): void {
  const latest = new Date(nowMs);
  latest.setUTCFullYear(latest.getUTCFullYear() + MOST_YEARS);
  if (untilMs > nowMs && untilMs <= latest.getTime()) return;
  const issues = [{ path: 'until', message: 'This has to lie ahead, by five years at most' }];
  throw new AppError('invalid_input', { issues });
}
