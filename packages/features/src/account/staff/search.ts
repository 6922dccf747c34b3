import { searchKey } from '@gatehouse/auth-core';
import { countAccounts, listAccounts } from '@gatehouse/db';
import { listView, searchFilters } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffScopedProcedure } from '../../core/guard/procedures.js';
import { moreBehind, pageById } from '../../member/staff/page-by-id.js';
import { searchedId } from '../../member/staff/searched-id.js';
import { accountView, toAccountView } from './account-view.js';

/**
 * The caller's accounts, by the beginning of the name or by id. Closed ones, until they are erased, are found by their state
 * alone, and by staff of base role 0 alone.
 */
export const search = staffScopedProcedure('account.read')
  .input(searchFilters({ state: z.enum(['live', 'closed']).optional() }))
  .output(listView(accountView).extend({ more: moreBehind }))
  .query(async ({ ctx, input }) => {
    const { db } = ctx.services;
    const isClosed = input.state === 'closed';
    const names = { nameBegins: searchKey(input.search), orId: searchedId(input.search), isClosed };
    const found = await pageById(
      input,
      (page) => listAccounts(db, ctx.scope, { ...page, ...names }),
      toAccountView,
    );
    const last = found.page.nextCursor === null ? undefined : found.data.at(-1);
    const more = last ? await countAccounts(db, ctx.scope, { afterId: last.id, ...names }) : 0;
    return { more, ...found };
  });
