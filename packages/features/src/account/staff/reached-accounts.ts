import { AppError, searchKey, searchTextSchema, staffPermissions, staffReach } from '@gatehouse/auth-core';
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
import { moreBehind, pageById, searchedId } from '../../member/staff/search-people.js';

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
    pageById(input, (page) => listAccounts(ctx.services.db, ctx.scope, page), toAccountView),
  );

/** The names of the caller's accounts, by any part of the name or by id, for a selection field. */
export const listAccountNamesForStaff = procedure({
  who: 'staff',
  permission: 'account.read',
  inAccounts: true,
})
  .input(searchInput)
  .output(listView(z.object({ id: z.int(), name: z.string() })))
  .query(({ ctx, input }) => {
    const nameContains = searchKey(input.search);
    const orId = searchedId(input.search);
    return pageById(
      input,
      (page) => listAccounts(ctx.services.db, ctx.scope, { ...page, nameContains, orId }),
      ({ id, name }) => ({ id, name }),
    );
  });

/**
 * The caller's accounts, by the beginning of the name or by id. Closed ones, until they are erased, are found by their state
 * alone, and by staff of base role 0 alone.
 */
export const searchAccountsForStaff = procedure({
  who: 'staff',
  permission: 'account.read',
  inAccounts: true,
})
  .input(searchFilters({ state: z.enum(['live', 'closed']).optional() }))
  .output(listView(accountView).extend({ more: moreBehind }))
  .query(async ({ ctx, input }) => {
    const { db } = ctx.services;
    const isClosed = input.state === 'closed';
    const names = { nameBegins: searchKey(input.search), orId: searchedId(input.search), isClosed };
    const found = await pageById(
      input,
      (page) => listAccounts(db, ctx.scope, { ...page, ...names }),
      toAccountView,
    );
    const last = found.page.nextCursor === null ? undefined : found.data.at(-1);
    const more = last ? await countAccounts(db, ctx.scope, { afterId: last.id, ...names }) : 0;
    return { more, ...found };
  });

/** The accounts that are in both scopes. */
function sharedScope(one: AccountScope, other: AccountScope): AccountScope {
  if (!one.all) return { all: false, accountIds: one.accountIds.filter((id) => isInScope(other, id)) };
  if (!other.all) return { all: false, accountIds: other.accountIds.filter((id) => isInScope(one, id)) };
  return { all: true, except: new Set([...(one.except ?? []), ...(other.except ?? [])]) };
}

/**
 * The members of one owner's accounts, by any part of the first or last name, or by id. Only accounts that
 * the given member of staff reaches are included. Callers see their own accounts; with `personnel.read` they
 * see those of a colleague that they also reach themselves.
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
