import { idCursor, listView, openCursor, pageInput, staffScopedProcedure, toPage } from '@gatehouse/api-kit';
import { searchTextSchema } from '@gatehouse/auth-core';
import { searchAffiliates } from '@gatehouse/db';
import { z } from 'zod';
import { peopleSearch } from '../people-search.js';
import { affiliateView, toAffiliateView } from './affiliate-view.js';
import { codeKey } from './code-key.js';

/** The affiliates among the members of the accounts the caller acts in, by who they are or how the code begins. */
export const search = staffScopedProcedure('affiliate.read')
  .input(z.object({ search: searchTextSchema.default(''), ...pageInput }))
  .output(listView(affiliateView))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await searchAffiliates(ctx.kit.db, ctx.scope, {
      afterId,
      limit: input.limit + 1,
      codeBegins: codeKey(input.search),
      ...peopleSearch(input.search),
    });
    return toPage(
      rows,
      input.limit,
      (row) => [row.memberId],
      (row) => toAffiliateView(row, ctx.kit.config.APP_URL),
    );
  });
