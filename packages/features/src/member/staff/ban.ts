import { listPrimaryAccounts } from '@gatehouse/db';
import { z } from 'zod';
import { staffScopedProcedure } from '../../app/procedures.js';
import { changedFields } from '../../audit/changed-fields.js';
import { makeChange } from '../../audit/make-change.js';
import { giveBaseRole } from '../../authority/give-base-role.js';
import { lockSubject } from '../../authority/lock-subject.js';

/** Archives a member: their sessions end, and every request from the next one on is refused. */
export const ban = staffScopedProcedure('member.manage')
  .meta({ about: { summary: 'Ban a member', refuses: ['not_found', 'last_administrator'] } })
  .input(z.object({ memberId: z.number().int().positive() }))
  .output(
    z.object({
      message: z.string(),
      data: z.object({
        /** The accounts that lose their primary owner. */
        ownerlessAccounts: z.array(z.object({ id: z.int(), name: z.string() })),
      }),
    }),
  )
  .mutation(async ({ ctx, input: { memberId } }) =>
    makeChange(ctx, { members: [memberId] }, async (tx, nowMs, decided) => {
      const { roles } = ctx.services;
      const need = { permission: 'member.manage', need: 'mayChangeEverywhere' } as const;
      const { member, authority } = await lockSubject(decided, tx, { memberId, nowMs }, need);
      const roleType = roles.id.archived;
      await giveBaseRole(tx, roles, member, { roleType, actingRole: authority.actingRole, nowMs });
      const changed = changedFields({ roleType: member.roleType }, { roleType });
      return {
        result: {
          message: 'The member is archived',
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
    }),
  );
