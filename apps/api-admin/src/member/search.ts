import {
  idCursor,
  listView,
  memberView,
  openCursor,
  pageInput,
  staffScopedProcedure,
  toMemberView,
  toPage,
} from '@gatehouse/api-kit';
import { searchTextSchema } from '@gatehouse/auth-core';
import { searchPeople } from '@gatehouse/db';
import { z } from 'zod';
import { peopleSearch } from '../people-search.js';

/** The members of the accounts the caller acts in, by any part of username, first name or e-mail address. */
export const search = staffScopedProcedure('member.list')
  .input(z.object({ search: searchTextSchema.default(''), ...pageInput }))
  .output(listView(memberView))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const page = { afterId, limit: input.limit + 1 };
    const rows = await searchPeople(ctx.kit.db, ctx.scope, { ...page, ...peopleSearch(input.search) });
    return toPage(rows, input.limit, (row) => [row.id], toMemberView);
  });
