import { idCursor, listView, openCursor, pageInput, staffScopedProcedure, toPage } from '@gatehouse/api-kit';
import { searchKey, searchTextSchema } from '@gatehouse/auth-core';
import { listAccounts } from '@gatehouse/db';
import { z } from 'zod';
import { accountView, toAccountView } from './account-view.js';

/** The accounts the caller acts in whose name begins with a text. */
export const search = staffScopedProcedure('account.read')
  .input(z.object({ search: searchTextSchema.default(''), ...pageInput }))
  .output(listView(accountView))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const page = { afterId, limit: input.limit + 1 };
    const rows = await listAccounts(ctx.kit.db, ctx.scope, { ...page, nameBegins: searchKey(input.search) });
    return toPage(rows, input.limit, (row) => [row.id], toAccountView);
  });
