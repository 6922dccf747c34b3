import { removeMembership, removeReturningPlace } from '@gatehouse/db';
import { z } from 'zod';
import { makeChange } from '../../audit/make-change.js';
import { inPersonAccountProcedure } from '../../core/guard/procedures.js';
import { mailName } from '../../mail/mail-name.js';
import { requireNotPrimaryOwner } from '../ownership/require-not-primary-owner.js';
import { tellMember } from '../ownership/tell-member.js';
import { lockPlace } from './place-in-account.js';

/**
 * Removes a member from the account: from their next request on they have no access to it. A member who deleted themselves does
 * not come back to it.
 */
export const remove = inPersonAccountProcedure('member.manage')
  .meta({
    about: {
      summary: 'Remove a member from the account',
      refuses: ['not_found', 'permission_denied', 'sole_owner'],
    },
  })
  .input(z.object({ memberId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId } }) => {
    const { services } = ctx;
    const accountId = ctx.account.id;
    await makeChange(ctx, { members: [memberId], among: [accountId] }, async (tx, nowMs, decided) => {
      const place = await lockPlace(decided, tx, { memberId, nowMs, orLeaving: true });
      const { account, roleType, customRoleId, isReturning } = place;
      await requireNotPrimaryOwner(tx, memberId, [accountId]);
      await (isReturning ? removeReturningPlace : removeMembership)(tx, { memberId, accountId, nowMs });
      if (memberId !== decided.caller.memberId) {
        const told = { accountName: mailName(account.name), atMs: nowMs };
        await tellMember(tx, services, { kind: 'removedFromAccount', memberId, data: told });
      }
      return {
        result: undefined,
        record: {
          action: 'membership.removed',
          accountId,
          onBehalfOfId: memberId,
          subjectKind: 'membership',
          subjectId: `${accountId}/${memberId}`,
          before: { roleType, customRoleId },
          after: null,
        },
      };
    });
    services.wakeups.wake('mail');
    return { message: 'The member is no longer in the account' };
  });
