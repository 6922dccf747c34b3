import { AppError, searchTextSchema, searchWords, staffPermissions, staffReach } from '@gatehouse/auth-core';
import { listAccountFacts } from '@gatehouse/db/queries/list-account-facts';
import { listOwnedAccountIds } from '@gatehouse/db/queries/member-scope';
import {
  type AccountPlace,
  type AccountRow,
  countAccounts,
  countSortedAccounts,
  listAccounts,
  sortAccounts,
} from '@gatehouse/db/queries/search-accounts';
import { searchPeople } from '@gatehouse/db/queries/search-people';
import {
  idCursor,
  listInput,
  listView,
  openCursor,
  pageInput,
  searchFilters,
  searchInput,
  textCursor,
  toSearchPage,
} from '@gatehouse/http/page';
import { z } from 'zod';
import { findPlan } from '../../core/billing-plans.js';
import type { Context } from '../../core/context.js';
import { currentSubscription, currentSubscriptionView } from '../../core/current-subscription.js';
import { type AccountScope, isInScope } from '../../core/guard/account-access.js';
import type { Caller } from '../../core/guard/caller.js';
import { procedure } from '../../core/guard/procedure.js';
import { memberView, personName, toMemberView } from '../../core/member-view.js';
import { runSearch, searchPage } from '../../core/search-page.js';
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

/** An account in a list for staff. */
const listedAccountView = accountView
  .extend({
    /** The name of the primary owner; null if there is none any more. */
    owner: z.string().nullable(),
    /** How many members have access; 1000 stands for that many or more. */
    members: z.int(),
    /** Null if the account never had one. */
    subscription: currentSubscriptionView.nullable(),
    /** The name of the plan, or the provider's id of a price that BILLING_PLANS does not have. */
    plan: z.string().nullable(),
  })
  .meta({ id: 'ListedAccount' });

/** The orders of the list. A leading minus stands for descending. */
const SORTS = ['name', '-name', 'id', '-id'] as const;

/**
 * The caller's accounts, by words of the name or by id, in ascending order of their ids unless another order is requested. Closed
 * accounts that are not yet erased are found only by their state, and only by staff of base role 0.
 */
export const searchAccountsForStaff = procedure({
  who: 'staff',
  permission: 'account.read',
  inAccounts: true,
})
  .input(searchFilters({ state: z.enum(['live', 'closed']).optional(), sort: z.enum(SORTS).optional() }))
  .output(listView(listedAccountView).extend({ more: moreBehind }))
  .query(async ({ ctx, input: { search, state, limit, cursor, sort } }) => {
    const { db } = ctx.services;
    const wanted = { words: searchWords(search), isClosed: state === 'closed' };
    const findsAll = wanted.words.length === 0 && !wanted.isClosed;
    if (sort !== undefined) return sorted(ctx, wanted, sort, { limit, cursor, findsAll });
    let more = 0;
    const found = await searchPage(
      ctx,
      { limit, cursor, findsAll },
      async (page) => {
        const { rows, goesOnAfter } = await listAccounts(db, ctx.scope, wanted, page);
        const last = rows.length > limit ? rows.at(limit - 1) : undefined;
        if (last) more = await countAccounts(db, ctx.scope, wanted, { ...page, after: last.cursor });
        return { rows, goesOnAfter };
      },
      toAccountView,
    );
    return { more, page: found.page, data: await withFacts(ctx, found.data) };
  });

/** One page of the search, in an order. */
async function sorted(
  ctx: Context & { readonly scope: AccountScope },
  wanted: Parameters<typeof sortAccounts>[2],
  sort: (typeof SORTS)[number],
  { limit, cursor, findsAll }: { limit: number; cursor: string | null | undefined; findsAll: boolean },
) {
  const { db } = ctx.services;
  const order = ORDERS[sort];
  const place = order.by === 'name' ? openCursor(cursor, textCursor) : openCursor(cursor, idCursor);
  const after = place && { nameKey: String(place[0]), id: Number(place.at(-1)) };
  let more = 0;
  const found = await runSearch(ctx, findsAll, async (deadlineMs) => {
    const page = { after, limit: limit + 1, deadlineMs };
    const { rows, goesOnAfter } = await sortAccounts(db, ctx.scope, wanted, order, page);
    const last = rows.length > limit ? rows.at(limit - 1) : undefined;
    if (last) more = await countSortedAccounts(db, ctx.scope, wanted, order, { ...page, after: last });
    return { rows, goesOnAfter };
  });
  const keyOf = ({ nameKey, id }: AccountPlace) => (order.by === 'name' ? [nameKey, id] : [id]);
  const { page, data } = toSearchPage(found, limit, keyOf, toAccountView);
  return { more, page, data: await withFacts(ctx, data) };
}

const ORDERS = {
  name: { by: 'name', isDescending: false },
  '-name': { by: 'name', isDescending: true },
  id: { by: 'id', isDescending: false },
  '-id': { by: 'id', isDescending: true },
} as const;

/** Accounts with what staff see of them in a list. None is left out that was erased meanwhile. */
async function withFacts(
  { services }: Pick<Context, 'services'>,
  rows: readonly z.output<typeof accountView>[],
): Promise<z.output<typeof listedAccountView>[]> {
  const facts = await listAccountFacts(
    services.db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const { owner = null, members = 0, subscription = null, plan = null } = facts.get(row.id) ?? {};
    const known = findPlan(services.config.BILLING_PLANS, subscription?.provider ?? null, plan);
    return {
      ...row,
      owner: owner && personName(owner),
      members,
      subscription: subscription && currentSubscription(services, { subscription }),
      plan: known?.name ?? plan,
    };
  });
}

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
