import { searchKey } from '@gatehouse/auth-core';
import { listAccounts } from '@gatehouse/db';
import { listView, searchInput } from '@gatehouse/http/page';
import { staffScopedProcedure } from '../../app/procedures.js';
import { pageById } from '../../member/staff/page-by-id.js';
import { searchedId } from '../../member/staff/searched-id.js';
import { accountView, toAccountView } from './account-view.js';

/** The caller's accounts, by the beginning of the name or by id. */
export const search = staffScopedProcedure('account.read')
  .input(searchInput)
  .output(listView(accountView))
  .query(({ ctx, input }) => {
    const nameBegins = searchKey(input.search);
    const orId = searchedId(input.search);
    return pageById(
      input,
      (page) => listAccounts(ctx.services.db, ctx.scope, { ...page, nameBegins, orId }),
      toAccountView,
    );
  });
