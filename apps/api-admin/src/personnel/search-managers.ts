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
import { searchManagers as findManagers } from '@gatehouse/db';
import { z } from 'zod';
import { peopleSearch } from '../people-search.js';

/** The account managers and designers who work in the accounts the caller acts in, as members or by a grant. */
export const searchManagers = staffScopedProcedure('personnel.read')
  .input(z.object({ search: searchTextSchema.default(''), ...pageInput }))
  .output(listView(memberView))
  .query(async ({ ctx, input }) => {
    const { accountManager, designer } = ctx.kit.roles.id;
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await findManagers(ctx.kit.db, ctx.scope, {
      askerId: ctx.caller.memberId,
      roleTypes: [accountManager, designer],
      afterId,
      limit: input.limit + 1,
      ...peopleSearch(input.search),
    });
    return toPage(rows, input.limit, (row) => [row.id], toMemberView);
  });
