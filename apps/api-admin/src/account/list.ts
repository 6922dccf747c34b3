import { idCursor, listView, openCursor, pageInput, staffScopedProcedure, toPage } from '@gatehouse/api-kit';
import { listAccounts } from '@gatehouse/db';
import { z } from 'zod';
import { accountView, toAccountView } from './account-view.js';

/** The accounts the caller acts in. */
export const list = staffScopedProcedure('account.read')
  .input(z.object(pageInput))
  .output(listView(accountView))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await listAccounts(ctx.kit.db, ctx.scope, { afterId, limit: input.limit + 1 });
    return toPage(rows, input.limit, (row) => [row.id], toAccountView);
  });
