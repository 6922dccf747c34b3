import { countPeople, listOwners, searchPeople } from '@gatehouse/db/queries/search-people';
import { idCursor, listView, openCursor, searchFilters, searchInput, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { procedure } from '../../core/guard/procedure.js';
import { memberView, toMemberView } from '../../core/member-view.js';
import { peopleSearch, searchPage } from '../search-page.js';

/** How many matches stand behind the page that is shown, as far as they were counted; 1000 stands for that many or more. */
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

/**
 * The members of the accounts the caller acts in, by words; of one state, partner or base role if asked. Deleted members
 * are found by their state alone.
 */
export const searchMembersForStaff = procedure({ who: 'staff', permission: 'member.list', inAccounts: true })
  .input(
    searchFilters({
      state: z.enum(['live', 'banned', 'deleting', 'deleted']).optional(),
      /** Those this partner may sign on. */
      partnerId: z.number().int().positive().optional(),
      /** The base role, which a ban leaves as it is; 11 finds those who are banned. */
      roleType: z.number().int().optional(),
    }),
  )
  .output(listView(memberView).extend({ more: moreBehind }))
  .query(async ({ ctx, input: { search: text, limit, cursor, state, roleType, partnerId } }) => {
    const { db, now } = ctx.services;
    const atMs = now();
    const people = {
      status: state && { is: state, atMs },
      roleType: roleType === undefined ? undefined : { is: roleType, atMs },
      partnerId,
      ...peopleSearch(text),
    };
    const hasFilter = state !== undefined || roleType !== undefined || partnerId !== undefined;
    let more = 0;
    const found = await searchPage(
      ctx,
      { limit, cursor, findsAll: people.words.length === 0 && !hasFilter },
      async (page) => {
        const { rows, goesOnAfter } = await searchPeople(db, ctx.scope, people, page);
        const last = rows.length > limit ? rows.at(limit - 1) : undefined;
        if (last) more = await countPeople(db, ctx.scope, people, { ...page, after: last.cursor });
        return { rows, goesOnAfter };
      },
      (row) => toMemberView(row, atMs),
    );
    return { more, ...found };
  });

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
