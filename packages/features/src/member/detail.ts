import { AppError } from '@gatehouse/auth-core';
import { findMember, sharesAccount } from '@gatehouse/db';
import { reachAccount } from '@gatehouse/features/app/account-access';
import { memberView, toMemberView } from '@gatehouse/features/app/member-view';
import { memberProcedure } from '@gatehouse/features/app/procedures';
import { reachableAccounts } from '@gatehouse/features/app/reachable-accounts';
import { z } from 'zod';

/**
 * One member: the caller, or somebody in an account where the caller may list the members. Anybody else is as unknown
 * as a member who does not exist.
 */
export const detail = memberProcedure
  .input(z.object({ userId: z.number().int().positive() }))
  .output(z.object({ data: memberView }))
  .query(async ({ ctx, input }) => {
    const { kit, caller, accountId } = ctx;
    if (accountId !== null) await reachAccount(ctx, caller, accountId);
    if (input.userId !== caller.memberId) {
      const scope = await reachableAccounts(ctx, caller, 'member.list');
      const isVisible = scope.all || (await sharesAccount(kit.db, input.userId, scope.accountIds));
      if (!isVisible) throw new AppError('not_found');
    }
    const member = await findMember(kit.db, input.userId);
    if (!member || member.isDeleted) throw new AppError('not_found');
    return { data: toMemberView(member) };
  });
