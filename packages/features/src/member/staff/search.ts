import { countPeople, searchPeople } from '@gatehouse/db';
import { listView, searchFilters } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffScopedProcedure } from '../../core/guard/procedures.js';
import { memberView, toMemberView } from '../../core/member-view.js';
import { moreBehind, pageById } from './page-by-id.js';
import { peopleSearch } from './people-search.js';

/**
 * The members of the accounts the caller acts in, by any part of username, first or last name or e-mail address, or by id; of one
 * state, partner or base role if asked. Deleted members are found by their state alone.
 */
export const search = staffScopedProcedure('member.list')
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
    const found = await pageById(
      { limit, cursor },
      (page) => searchPeople(db, ctx.scope, { ...page, ...people }),
      (row) => toMemberView(row, atMs),
    );
    const last = found.page.nextCursor === null ? undefined : found.data.at(-1);
    const more = last ? await countPeople(db, ctx.scope, { afterId: last.id, ...people }) : 0;
    return { more, ...found };
  });
