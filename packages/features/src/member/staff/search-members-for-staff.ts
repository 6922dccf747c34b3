import { listForeignIds } from '@gatehouse/db/queries/foreign-ids';
import { listMemberFacts } from '@gatehouse/db/queries/list-member-facts';
import type { ListedMember } from '@gatehouse/db/queries/member-columns';
import { countPeople, listOwners, searchPeople } from '@gatehouse/db/queries/search-people';
import { countSortedPeople, type SortedPlace, sortPeople } from '@gatehouse/db/queries/sort-people';
import {
  idCursor,
  listView,
  numberCursor,
  openCursor,
  searchFilters,
  searchInput,
  textCursor,
  toPage,
  toSearchPage,
} from '@gatehouse/http/page';
import { z } from 'zod';
import { baseRoleView, roleWithoutBan } from '../../core/authority/base-role.js';
import type { Context } from '../../core/context.js';
import type { AccountScope } from '../../core/guard/account-access.js';
import { procedure } from '../../core/guard/procedure.js';
import { foreignIdsView, memberView, toMemberView } from '../../core/member-view.js';
import { peopleSearch, runSearch, searchPage } from '../../core/search-page.js';

/** How many matches follow the shown page; 1000 means that many or more. */
export const moreBehind = z.int();

/** One page of a list by ascending id. It reads one extra row to know whether there is a next page. */
export async function pageById<Row extends { id: number }, View>(
  { limit, cursor }: { limit: number; cursor?: string | null | undefined },
  read: (page: { afterId: number; limit: number }) => Promise<Row[]>,
  view: (row: Row) => View,
) {
  const [afterId] = openCursor(cursor, idCursor) ?? [0];
  const rows = await read({ afterId, limit: limit + 1 });
  return toPage(rows, limit, (row) => [row.id], view);
}

/** A member in a list for staff. */
const listedMemberView = memberView
  .extend({
    baseRole: baseRoleView,
    status: z.enum(['live', 'banned', 'deleting', 'deleted']),
    /** Whether every sign-in takes a second step. */
    secondFactor: z.boolean(),
    lastLoginAt: z.iso.datetime().nullable(),
    /** The first of the accounts that they are in, of those the caller acts in. */
    account: z.object({ id: z.int(), name: z.string() }).nullable(),
    /** How many such accounts there are. */
    accountCount: z.int(),
    foreignIds: foreignIdsView,
  })
  .meta({ id: 'ListedMember' });

/** The orders of the list. A leading minus means descending. */
const SORTS = ['id', '-id', 'email', '-email', 'lastLogin', '-lastLogin'] as const;

type Sort = (typeof SORTS)[number];

/**
 * The members of the accounts the caller acts in, by words; of one state, partner or base role if asked. Deleted members
 * are found by their state alone. Without a sort, those whose id, address, username or id in another system is the whole text
 * come first, and the others follow by id.
 */
export const searchMembersForStaff = procedure({ who: 'staff', permission: 'member.list', inAccounts: true })
  .input(
    searchFilters({
      state: z.enum(['live', 'banned', 'deleting', 'deleted']).optional(),
      /** Members that this partner may sign on. */
      partnerId: z.number().int().positive().optional(),
      /** The base role, which a ban does not change; 11 finds those who are banned. */
      roleType: z.number().int().optional(),
      /** The order; members without an address, or who never signed in, come last in both directions. */
      sort: z.enum(SORTS).optional(),
    }),
  )
  .output(listView(listedMemberView).extend({ more: moreBehind }))
  .query(async ({ ctx, input: { search: text, limit, cursor, state, roleType, partnerId, sort } }) => {
    const { db, now } = ctx.services;
    const atMs = now();
    const people = {
      status: state && { is: state, atMs },
      roleType: roleType === undefined ? undefined : { is: roleType, atMs },
      partnerId,
      ...peopleSearch(text),
    };
    const exact = people.exact && { ...people.exact, foreignId: text.trim() };
    const hasFilter = state !== undefined || roleType !== undefined || partnerId !== undefined;
    const findsAll = people.words.length === 0 && !hasFilter;
    if (sort !== undefined) return sorted(ctx, people, sort, { limit, cursor, findsAll, atMs });
    let more = 0;
    const found = await searchPage(
      ctx,
      { limit, cursor, findsAll },
      async (page) => {
        const { rows, goesOnAfter } = await searchPeople(db, ctx.scope, { ...people, exact }, page);
        const last = rows.length > limit ? rows.at(limit - 1) : undefined;
        if (last) more = await countPeople(db, ctx.scope, people, { ...page, after: last.cursor });
        return { rows, goesOnAfter };
      },
      (row) => toListedView(ctx, row, atMs),
    );
    return { more, page: found.page, data: await withFacts(ctx, found.data, atMs) };
  });

/** One page of the search, in an order. */
async function sorted(
  ctx: Context & { readonly scope: AccountScope },
  people: Parameters<typeof sortPeople>[2],
  sort: Sort,
  {
    limit,
    cursor,
    findsAll,
    atMs,
  }: { limit: number; cursor: string | null | undefined; findsAll: boolean; atMs: number },
) {
  const { db } = ctx.services;
  const order = orderOf(sort);
  const place = openCursor<[string | number, number]>(
    cursor,
    order.by === 'email' ? textCursor : numberCursor,
  );
  const after = place && { key: place[0] === '' ? null : place[0], id: place[1] };
  let more = 0;
  const found = await runSearch(ctx, findsAll, async (deadlineMs) => {
    const page = { after, limit: limit + 1, deadlineMs };
    const { rows, goesOnAfter } = await sortPeople(db, ctx.scope, people, order, page);
    const last = rows.length > limit ? rows.at(limit - 1) : undefined;
    if (last) more = await countSortedPeople(db, ctx.scope, people, order, { ...page, after: last.place });
    return { rows, goesOnAfter };
  });
  const keyOf = (row: SortedPlace | { readonly place: SortedPlace }) => {
    const { key, id } = 'place' in row ? row.place : row;
    return [key ?? '', id];
  };
  const { page, data } = toSearchPage(found, limit, keyOf, (row) => toListedView(ctx, row, atMs));
  return { more, page, data: await withFacts(ctx, data, atMs) };
}

function orderOf(sort: Sort) {
  switch (sort) {
    case 'id':
    case 'email':
    case 'lastLogin':
      return { by: sort, isDescending: false } as const;
    case '-id':
      return { by: 'id', isDescending: true } as const;
    case '-email':
      return { by: 'email', isDescending: true } as const;
    case '-lastLogin':
      return { by: 'lastLogin', isDescending: true } as const;
  }
}

function toListedView({ services }: Pick<Context, 'services'>, row: ListedMember, nowMs: number) {
  return { baseRole: roleWithoutBan(services.roles, row), ...toMemberView(row, nowMs) };
}

/** Members with the fields that staff see in a list. A member who was removed since the search is kept. */
async function withFacts(
  { services: { db }, scope }: Pick<Context, 'services'> & { readonly scope: AccountScope },
  rows: readonly ReturnType<typeof toListedView>[],
  nowMs: number,
) {
  const ids = rows.map(({ id }) => id);
  const [facts, foreignIds] = await Promise.all([
    listMemberFacts(db, { ids, scope, nowMs }),
    listForeignIds(db, ids),
  ]);
  return rows.map((row) => {
    const { lastLoginAtMs, ...of } = facts.get(row.id) ?? GONE;
    return {
      ...row,
      ...of,
      foreignIds: [...(foreignIds.get(row.id) ?? [])],
      lastLoginAt: lastLoginAtMs === null ? null : new Date(lastLoginAtMs).toISOString(),
    };
  });
}

/** A member whose row was removed while the page was read. */
const GONE = {
  status: 'deleted',
  secondFactor: false,
  lastLoginAtMs: null,
  account: null,
  accountCount: 0,
} as const;

const ownerView = memberView.extend({ accounts: z.array(z.object({ id: z.int(), name: z.string() })) });

/** The owners of the caller's accounts, each with the first hundred of those accounts. */
export const searchOwners = procedure({ who: 'staff', permission: 'member.list', inAccounts: true })
  .input(searchInput)
  .output(listView(ownerView))
  .query(({ ctx, input }) => {
    const nowMs = ctx.services.now();
    return searchPage(
      ctx,
      input,
      (page) => listOwners(ctx.services.db, ctx.scope, peopleSearch(input.search), page),
      (row) => ({ accounts: row.accounts, ...toMemberView(row, nowMs) }),
    );
  });
