import { AppError } from '@gatehouse/auth-core';
import { endAllSessions, endMemberAccess, lockMember, removeMember } from '@gatehouse/db';
import { z } from 'zod';
import { rootProcedure } from '../../app/procedures.js';
import { makeChange } from '../../audit/make-change.js';
import { requireOtherAdministrator } from '../../authority/require-other-administrator.js';
import { cancelWhereAsked } from '../../billing/provider/cancel-at-provider.js';
import { closeWithPayments } from '../../billing/provider/close-with-payments.js';
import { listClosing, settleAccounts } from '../../deletion/settle-accounts.js';

/**
 * Deletes a member softly: the address and username stay reserved, and from the answer on the member has no
 * access. Accounts without other members close too, and their subscriptions are canceled at the provider
 * first.
 */
export const remove = rootProcedure
  .input(
    z.object({
      memberId: z.number().int().positive(),
      /** Whether owned accounts close even if they have other members. */
      closeAccounts: z.boolean().default(false),
    }),
  )
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { memberId, closeAccounts } }) => {
    const { services } = ctx;
    const ends = closeAccounts ? 'close' : [];
    const { owned, closing } = await listClosing(services.db, { memberId, ends });
    const removed = await closeWithPayments(ctx, closing, cancelWhereAsked, (confirm) =>
      makeChange(ctx, { members: [memberId], accounts: owned }, async (tx, nowMs, decided) => {
        const member = await lockMember(tx, { memberId, nowMs });
        if (!member) throw new AppError('not_found');
        if (member.isPersonnel && member.roleType === services.roles.id.admin) {
          await requireOtherAdministrator(tx, { memberId, nowMs });
        }
        const closedById = decided.caller.memberId;
        const settlement = { memberId, closedById, ends, held: owned, isPaymentEnded: true, nowMs } as const;
        const { closed } = await settleAccounts(tx, services, settlement);
        await confirm(tx);
        await removeMember(tx, { memberId, deletedById: closedById, nowMs });
        await endMemberAccess(tx, { memberId, nowMs });
        await endAllSessions(tx, memberId, { nowMs });
        const { username, email, roleType, isPersonnel } = member;
        return {
          result: { message: 'The member is deleted' },
          record: {
            action: 'member.removed',
            onBehalfOfId: memberId,
            subjectKind: 'member',
            subjectId: memberId,
            before: { username, email, roleType, isPersonnel },
            after: closed.length === 0 ? null : { closed },
          },
        };
      }),
    );
    services.wakeups.wake('mail');
    return removed;
  });
