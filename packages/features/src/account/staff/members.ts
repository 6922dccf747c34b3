import { AppError, searchKey, searchTextSchema, staffPermissions, staffReach } from '@gatehouse/auth-core';
import { listOwnedAccountIds, searchPeople } from '@gatehouse/db';
import { listView, pageInput } from '@gatehouse/http/page';
import { z } from 'zod';
import type { Context } from '../../core/context.js';
import type { AccountScope } from '../../core/guard/account-access.js';
import type { Caller } from '../../core/guard/caller.js';
import { staffScopedProcedure } from '../../core/guard/procedures.js';
import { memberView, toMemberView } from '../../core/member-view.js';
import { pageById } from '../../member/staff/page-by-id.js';
import { searchedId } from '../../member/staff/searched-id.js';
import { sharedScope } from './shared-scope.js';

/**
 * The members of one owner's accounts, by any part of the first or last name, or by id. Only accounts that
 * the given member of staff reaches are included. Callers see their own accounts; with `personnel.read` they
 * see those of a colleague that they also reach themselves.
 */
export const members = staffScopedProcedure('member.list')
  .input(
    z.strictObject({
      ownerId: z.number().int().positive(),
      /** 0 means the caller. */
      personnelId: z.number().int().min(0).default(0),
      search: searchTextSchema.default(''),
      ...pageInput,
    }),
  )
  .output(listView(memberView))
  .query(async ({ ctx, input }) => {
    const scope = sharedScope(ctx.scope, await reachOf(ctx, input.personnelId));
    const accountIds = await listOwnedAccountIds(ctx.services.db, scope, input.ownerId);
    const nowMs = ctx.services.now();
    const realName = { key: searchKey(input.search), id: searchedId(input.search) };
    return pageById(
      input,
      (page) => searchPeople(ctx.services.db, { all: false, accountIds }, { ...page, realName }),
      (row) => toMemberView(row, nowMs),
    );
  });

async function reachOf(ctx: Context & { caller: Caller }, personnelId: number): Promise<AccountScope> {
  const { access, roles } = ctx.services;
  if (personnelId === 0 || personnelId === ctx.caller.memberId) return { all: true };
  if (!staffPermissions(roles, ctx.caller.member).has('personnel.read'))
    throw new AppError('permission_denied');
  const colleague = await access.member(personnelId);
  const reach = colleague ? staffReach(roles, colleague, 'member.list') : new Set<number>();
  return reach === 'all' ? { all: true } : { all: false, accountIds: [...reach] };
}
