import { idCursor, listView, openCursor, pageInput, staffScopedProcedure, toPage } from '@gatehouse/api-kit';
import { searchKey, searchTextSchema } from '@gatehouse/auth-core';
import { listAccounts } from '@gatehouse/db';
import { z } from 'zod';

/** The names of the accounts the caller acts in, by any part of the name: what a selection field shows. */
export const names = staffScopedProcedure('account.read')
  .input(z.object({ search: searchTextSchema.default(''), ...pageInput }))
  .output(listView(z.object({ id: z.number(), name: z.string() })))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const page = { afterId, limit: input.limit + 1 };
    const rows = await listAccounts(ctx.kit.db, ctx.scope, {
      ...page,
      nameContains: searchKey(input.search),
    });
    return toPage(
      rows,
      input.limit,
      (row) => [row.id],
      ({ id, name }) => ({ id, name }),
    );
  });
