import { AppError, mayGive } from '@gatehouse/auth-core';
import { findBan, setMemberRole } from '@gatehouse/db/queries/change-member';
import { listPrimaryAccounts } from '@gatehouse/db/queries/read-accounts';
import { findMember } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../../audit/change.js';
import { MEMBER_NEEDS } from '../../core/authority/authority-over.js';
import { banMember, banState, labelKept, notBanned, roleWithoutBan } from '../../core/authority/base-role.js';
import { lockSubject } from '../../core/authority/require-authority.js';
import { FRESH } from '../../core/guard/freshness.js';
import { procedure } from '../../core/guard/procedure.js';
import { instant, reason } from '../../core/inputs.js';
import { memberView, toMemberView } from '../../core/member-view.js';
import { clearMemberLimits } from '../../core/rate-limit/login-limits.js';
import { clearStepLimits } from '../../core/rate-limit/step-limits.js';
import { changeStaff } from '../change-staff.js';

const MAX_YEARS = 5;

/**
 * Bans a member: their sessions end, and every request from the next one on is refused. They keep role and
 * label. A ban with an end ends at that time on every node.
 */
export const banMemberAsStaff = procedure({
  who: 'staff',
  permission: 'member.manage',
  inAccounts: true,
  fresh: FRESH,
})
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
    const banned = await changeAndRecord(
      ctx,
      { announce: { members: [memberId] } },
      async ({ tx, nowMs, ...authorized }) => {
        const { member } = await lockSubject(authorized, tx, { memberId, nowMs }, MEMBER_NEEDS.ban);
        if (untilMs !== null) requireWithinYears(untilMs, nowMs);
        const bannedById = authorized.caller.memberId;
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
      },
    );
    ctx.services.wakeups.wake('mail');
    return banned;
  });

/** @throws {AppError} `invalid_input` unless it is in the future, by at most five years */
function requireWithinYears(untilMs: number, nowMs: number): void {
  const latest = new Date(nowMs);
  latest.setUTCFullYear(latest.getUTCFullYear() + MAX_YEARS);
  if (untilMs > nowMs && untilMs <= latest.getTime()) return;
  const issues = [{ path: 'until', message: 'This has to lie ahead, by five years at most' }];
  throw new AppError('invalid_input', { issues });
}

/**
 * Lifts the ban of a member, who has their former role again and has to sign in again. Repeating it changes
 * nothing. Staff come back as `changeStaff` says.
 */
export const unbanMember = procedure({ who: 'staff', permission: 'member.manage', inAccounts: true })
  .meta({ about: { summary: 'Lift the ban of a member', refuses: ['not_found'] } })
  .input(z.object({ memberId: z.number().int().positive(), reason: reason.optional() }))
  .output(z.object({ message: z.string(), data: memberView }))
  .mutation(async ({ ctx, input: { memberId, reason: why = null } }) => {
    const unbanned = await changeAndRecord(
      ctx,
      { announce: { members: [memberId] } },
      async ({ tx, nowMs, ...authorized }) => {
        const { roles } = ctx.services;
        const { member, authority } = await lockSubject(
          authorized,
          tx,
          { memberId, nowMs },
          MEMBER_NEEDS.unban,
        );
        const message = 'The member is not banned';
        const ban = await findBan(tx, { memberId, nowMs });
        if (!ban) return { result: { message, data: toMemberView(member, nowMs) }, record: undefined };

        const roleType = roleWithoutBan(roles, member);
        if (!mayGive(roles, authority.actingRole, roleType)) throw new AppError('permission_denied');
        const role = labelKept(roles, member, roleType);
        const who = { memberId, actorId: authorized.caller.memberId, nowMs };
        await changeStaff(ctx, tx, who, (staffTx) =>
          setMemberRole(staffTx, { memberId, roleType, role, nowMs }),
        );
        const after = await findMember(tx, memberId);
        if (!after) throw new AppError('not_found');
        return {
          result: { message, data: toMemberView(after, nowMs) },
          record: {
            action: 'member.unbanned',
            onBehalfOfId: memberId,
            subjectKind: 'member',
            subjectId: memberId,
            before: banState(roles, ban),
            after: { ...notBanned(roleType), reason: why },
          },
        };
      },
    );
    ctx.services.wakeups.wake('mail');
    return unbanned;
  });

/** Lifts the lock after too many failed sign-ins. The member is not changed otherwise. */
export const unlockMember = procedure({ who: 'staff', permission: 'member.manage', inAccounts: true })
  .meta({ about: { summary: 'Let a member try to sign in again', refuses: ['not_found'] } })
  .input(z.object({ memberId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId } }) =>
    changeAndRecord(ctx, { lock: { members: [memberId] } }, async ({ tx, nowMs, ...authorized }) => {
      await lockSubject(authorized, tx, { memberId, nowMs }, MEMBER_NEEDS.unlock);
      const logins = await clearMemberLimits(ctx.services, tx, memberId);
      const counters = logins + (await clearStepLimits(ctx.services, tx, memberId));
      return {
        result: { message: 'The member can try again' },
        record: {
          action: 'member.unlocked',
          onBehalfOfId: memberId,
          subjectKind: 'member',
          subjectId: memberId,
          before: { counters },
          after: { counters: 0 },
        },
      };
    }),
  );
