import { AppError, mayGive } from '@gatehouse/auth-core';
import { findBan, findMember, setMemberRole } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../audit/make-change.js';
import { MEMBER_NEEDS } from '../../core/authority/authority-over.js';
import { banState, formerRole, labelKept, notBanned } from '../../core/authority/base-role.js';
import { lockSubject } from '../../core/authority/require-authority.js';
import { staffScopedProcedure } from '../../core/guard/procedures.js';
import { reason } from '../../core/inputs.js';
import { memberView, toMemberView } from '../../core/member-view.js';
import { changeStaff } from '../staff-authority/change-staff.js';

/**
 * Lifts the ban of a member, who has their former role again and has to sign in again. Repeating it changes
 * nothing. Staff come back as `changeStaff` says.
 */
export const unban = staffScopedProcedure('member.manage')
  .meta({ about: { summary: 'Lift the ban of a member', refuses: ['not_found'] } })
  .input(z.object({ memberId: z.number().int().positive(), reason: reason.optional() }))
  .output(z.object({ message: z.string(), data: memberView }))
  .mutation(async ({ ctx, input: { memberId, reason: why = null } }) => {
    const unbanned = await makeChange(ctx, { members: [memberId] }, async (tx, nowMs, decided) => {
      const { roles } = ctx.services;
      const { member, authority } = await lockSubject(decided, tx, { memberId, nowMs }, MEMBER_NEEDS.unban);
      const message = 'The member is not banned';
      const ban = await findBan(tx, { memberId, nowMs });
      if (!ban) return { result: { message, data: toMemberView(member, nowMs) }, record: undefined };

      const roleType = await formerRole(tx, roles, member);
      if (!mayGive(roles, authority.actingRole, roleType)) throw new AppError('permission_denied');
      const role = labelKept(roles, member, roleType);
      const who = { memberId, actorId: decided.caller.memberId, nowMs };
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
    });
    ctx.services.wakeups.wake('mail');
    return unbanned;
  });
