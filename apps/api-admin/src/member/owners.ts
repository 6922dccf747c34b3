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
import { listOwners } from '@gatehouse/db';
import { z } from 'zod';
import { peopleSearch } from '../people-search.js';

const ownerView = memberView.extend({ accounts: z.array(z.object({ id: z.number(), name: z.string() })) });

/** The owners of the accounts the caller acts in, each with the first hundred of those accounts. */
export const owners = staffScopedProcedure('member.list')
  .input(z.object({ search: searchTextSchema.default(''), ...pageInput }))
  .output(listView(ownerView))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const page = { afterId, limit: input.limit + 1 };
    const rows = await listOwners(ctx.kit.db, ctx.scope, { ...page, ...peopleSearch(input.search) });
    return toPage(
      rows,
      input.limit,
      (row) => [row.id],
      (row) => ({ ...toMemberView(row), accounts: row.accounts }),
    );
  });
