import { AppError } from '@gatehouse/auth-core';
import { changeAccess, endAllSessions, endMemberAccess, lockMember, removeMember } from '@gatehouse/db';
import { z } from 'zod';
import { rootProcedure } from '../../app/procedures.js';
import { makeChange } from '../../audit/make-change.js';
import { requireOtherAdministrator } from '../../authority/require-other-administrator.js';
import { closeLonelyAccounts } from '../../ownership/close-lonely-accounts.js';

/**
 * Deletes a member softly, and closes accounts without other members. The address and username stay reserved.
 * From the answer on the member has no access.
 */
export const remove = rootProcedure
  .input(z.object({ memberId: z.number().int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId } }) =>
    makeChange(ctx, { members: [memberId] }, async (tx, nowMs, decided) => {
      const member = await lockMember(tx, { memberId, nowMs });
      if (!member) throw new AppError('not_found');
      if (member.isPersonnel && member.roleType === ctx.services.roles.id.admin) {
        await requireOtherAdministrator(tx, { memberId, nowMs });
      }
      const closed = await closeLonelyAccounts(tx, ctx.services, {
        memberId,
        closedById: decided.caller.memberId,
        nowMs,
      });
      await removeMember(tx, { memberId, deletedById: decided.caller.memberId, nowMs });
      await endMemberAccess(tx, { memberId, nowMs });
      await endAllSessions(tx, memberId, { nowMs });
      await changeAccess(tx, { accounts: closed }, () => Promise.resolve());
      const { username, email, roleType, isPersonnel } = member;
      return {
        result: { message: 'The member is deleted' },
        record: {
          action: 'member.removed',
          onBehalfOfId: memberId,
          subjectKind: 'member',
          subjectId: memberId,
          before: { username, email, roleType, isPersonnel },
          after: null,
        },
      };
    }),
  );
