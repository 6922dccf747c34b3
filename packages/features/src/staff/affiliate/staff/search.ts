import { searchAffiliates } from '@gatehouse/db';
import { listView, searchInput } from '@gatehouse/http/page';
import { staffScopedProcedure } from '../../../core/guard/procedures.js';
import { codeKey } from '../../../core/inputs.js';
import { pageById } from '../../../member/staff/page-by-id.js';
import { peopleSearch } from '../../../member/staff/people-search.js';
import { affiliateView, toAffiliateView } from './affiliate-view.js';

/** The affiliates among the members of the caller's accounts, by name or the beginning of the code. */
export const search = staffScopedProcedure('affiliate.read')
  .input(searchInput)
  .output(listView(affiliateView))
  .query(({ ctx, input }) => {
    const who = { codeBegins: codeKey(input.search), ...peopleSearch(input.search) };
    return pageById(
      input,
      (page) => searchAffiliates(ctx.services.db, ctx.scope, { ...page, ...who }),
      (row) => toAffiliateView(row, ctx.services.config.APP_URL),
    );
  });
