import { AppError } from '@gatehouse/auth-core';
import { findMember, findPlace, sharesAccount } from '@gatehouse/db';
import { z } from 'zod';
import { reachAccount, reachableAccounts } from '../core/guard/account-access.js';
import { memberProcedure } from '../core/guard/procedures.js';
import { placedMemberView, toPlacedMemberView } from './placed-member-view.js';

/**
 * One member: the caller, or a member of an account where the caller may list members. For anybody else the
 * answer is as for a member who does not exist.
 */
export const detail = memberProcedure
  .input(z.object({ userId: z.number().int().positive() }))
  .output(z.object({ data: placedMemberView }))
  .query(async ({ ctx, input }) => {
    const { services, caller, accountId } = ctx;
    const reached = accountId === null ? undefined : await reachAccount(ctx, caller, accountId);
    if (input.userId !== caller.memberId) {
      const scope = await reachableAccounts(ctx, caller, 'member.list');
      const isVisible = scope.all || (await sharesAccount(services.db, input.userId, scope.accountIds));
      if (!isVisible) throw new AppError('not_found');
    }
    const member = await findMember(services.db, input.userId);
    if (!member || member.isDeleted) throw new AppError('not_found');
    const isSelf = input.userId === caller.memberId;
    const seesPlaces = reached && (isSelf || reached.permissions.has('member.list'));
    const account = seesPlaces ? await services.access.account(reached.id) : undefined;
    const place =
      account && (await findPlace(services.db, { memberId: input.userId, accountId: account.id }));
    return { data: toPlacedMemberView(services, account)({ ...member, ...place }) };
  });
