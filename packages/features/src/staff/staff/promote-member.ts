import { AppError } from '@gatehouse/auth-core';
import { lockMember } from '@gatehouse/db/queries/lock-rows';
import { setPersonnelState } from '@gatehouse/db/queries/personnel';
import { listPersonnelGrants } from '@gatehouse/db/queries/personnel-grants';
import { findMember } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { changeAndRecord, changedFields } from '../../audit/change.js';
import { giveBaseRole, requireNotBanned } from '../../core/authority/base-role.js';
import { FRESH_WITH_FACTOR } from '../../core/guard/freshness.js';
import { staffProcedure } from '../../core/guard/procedure.js';
import { changeStaff } from '../../member/change-staff.js';
import { personnelView, toPersonnelView } from './list-personnel-for-staff.js';

/**
 * Makes a member an account manager: staff with that base role, and without an account until one is granted. A member whose owner
 * has not proven the address is taken over first, and the address gets the invitation of a new colleague.
 */
export const promoteMember = staffProcedure('personnel.manage', { fresh: FRESH_WITH_FACTOR })
  .input(z.object({ memberId: z.number().int().positive() }))
  .output(z.object({ data: personnelView }))
  .mutation(async ({ ctx, input: { memberId } }) => {
    const promoted = await changeAndRecord(
      ctx,
      { announce: { members: [memberId] } },
      async ({ tx, nowMs, caller }) => {
        const { roles } = ctx.services;
        const member = await lockMember(tx, { memberId, nowMs });
        if (!member) throw new AppError('not_found');
        requireNotBanned(member, nowMs);
        const roleType = roles.id.accountManager;
        const { memberId: actorId, member: actor } = caller;
        await changeStaff(ctx, tx, { memberId, actorId, nowMs }, async (staffTx) => {
          const given = { roleType, actingRole: actor.roleType, actorId, nowMs };
          await giveBaseRole(staffTx, roles, member, given);
          if (!member.isPersonnel) await setPersonnelState(staffTx, { memberId, isPersonnel: true, nowMs });
        });

        const [after, grants] = [await findMember(tx, memberId), await listPersonnelGrants(tx, memberId)];
        if (!after) throw new AppError('not_found');
        const changed = changedFields(
          { ...member },
          { roleType: after.roleType, isPersonnel: after.isPersonnel },
        );
        return {
          result: { data: toPersonnelView(after, grants, { roles: ctx.services.roles, nowMs }) },
          record: changed && {
            action: 'personnel.promoted',
            onBehalfOfId: memberId,
            subjectKind: 'member',
            subjectId: memberId,
            ...changed,
          },
        };
      },
    );
    ctx.services.wakeups.wake('mail');
    return promoted;
  });
