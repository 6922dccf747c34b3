import { AppError, searchTextSchema, searchWords, staffPermissions, staffReach } from '@gatehouse/auth-core';
import { listOwnedAccountIds } from '@gatehouse/db/queries/member-scope';
import { type AccountRow, countAccounts, listAccounts } from '@gatehouse/db/queries/search-accounts';
import { searchPeople } from '@gatehouse/db/queries/search-people';
import { listInput, listView, pageInput, searchFilters, searchInput } from '@gatehouse/http/page';
import { z } from 'zod';
import type { Context } from '../../core/context.js';
import { type AccountScope, isInScope } from '../../core/guard/account-access.js';
import type { Caller } from '../../core/guard/caller.js';
import { procedure } from '../../core/guard/procedure.js';
import { memberView, toMemberView } from '../../core/member-view.js';
import { searchPage } from '../../member/search-page.js';
import { moreBehind } from '../../member/staff/search-members-for-staff.js';

/** An account as staff see it. */
export const accountView = z.object({
  id: z.int(),
  name: z.string(),
  /** The member who opened it. */
  ownerId: z.int(),
  createdAt: z.iso.datetime(),
});

export function toAccountView({ id, name, ownerId, createdAtMs }: AccountRow): z.output<typeof accountView> {
  return { id, name, ownerId, createdAt: new Date(createdAtMs).toISOString() };
}

/** The accounts the caller acts in. */
export const listAccountsForStaff = procedure({ who: 'staff', permission: 'account.read', inAccounts: true })
  .input(listInput({}))
  .output(listView(accountView))
  .query(({ ctx, input }) =>
    searchPage(
      ctx,
      { ...input, findsAll: true },
      (page) => listAccounts(ctx.services.db, ctx.scope, {}, page),
      toAccountView,
    ),
  );

/** The names of the caller's accounts, by words of the name or by id, for a selection field. */
export const listAccountNamesForStaff = procedure({
  who: 'staff',
  permission: 'account.read',
  inAccounts: true,
})
  .input(searchInput)
  .output(listView(z.object({ id: z.int(), name: z.string() })))
  .query(({ ctx, input }) => {
    const words = searchWords(input.search);
    return searchPage(
      ctx,
      { ...input, findsAll: words.length === 0 },
      (page) => listAccounts(ctx.services.db, ctx.scope, { words }, page),
      ({ id, name }) => ({ id, name }),
    );
  });

/**
 * The caller's accounts, by words of the name or by id. Closed ones, until they are erased, are found by their state
 * alone, and by staff of base role 0 alone.
 */
export const searchAccountsForStaff = procedure({
  who: 'staff',
  permission: 'account.read',
  inAccounts: true,
})
  .input(searchFilters({ state: z.enum(['live', 'closed']).optional() }))
  .output(listView(accountView).extend({ more: moreBehind }))
  .query(async ({ ctx, input: { search, state, limit, cursor } }) => {
    const { db } = ctx.services;
    const wanted = { words: searchWords(search), isClosed: state === 'closed' };
    let more = 0;
    const found = await searchPage(
      ctx,
      { limit, cursor, findsAll: wanted.words.length === 0 && !wanted.isClosed },
      async (page) => {
        const { rows, goesOnAfter } = await listAccounts(db, ctx.scope, wanted, page);
        const last = rows.length > limit ? rows.at(limit - 1) : undefined;
        if (last) more = await countAccounts(db, ctx.scope, wanted, { ...page, after: last.cursor });
        return { rows, goesOnAfter };
      },
      toAccountView,
    );
    return { more, ...found };
  });

/** The accounts that are in both scopes. */
function sharedScope(one: AccountScope, other: AccountScope): AccountScope {
  if (!one.all) return { all: false, accountIds: one.accountIds.filter((id) => isInScope(other, id)) };
  if (!other.all) return { all: false, accountIds: other.accountIds.filter((id) => isInScope(one, id)) };
  return { all: true, except: new Set([...(one.except ?? []), ...(other.except ?? [])]) };
}

/**
 * The members of one owner's accounts, by words of the first and last name, or by id. Only accounts that the given member
 * of staff reaches are included. Callers see their own accounts; with `personnel.read` they see those of a colleague that
 * they also reach themselves.
 */
export const listMembersOfOwner = procedure({ who: 'staff', permission: 'member.list', inAccounts: true })
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
    const search = { words: searchWords(input.search), inRealNames: true };
    return searchPage(
      ctx,
      input,
      (page) => searchPeople(ctx.services.db, { all: false, accountIds }, search, page),
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
