import { searchKey, searchTextSchema } from '@gatehouse/auth-core';
import { listAccounts } from '@gatehouse/db';
import { listInput, listView } from '@gatehouse/http/page';
import { staffScopedProcedure } from '../../app/procedures.js';
import { pageById } from '../../member/staff/page-by-id.js';
import { accountView, toAccountView } from './account-view.js';

/** The accounts the caller acts in whose name begins with a text. */
export const search = staffScopedProcedure('account.read')
  .input(listInput({ search: searchTextSchema.default('') }))
  .output(listView(accountView))
  .query(({ ctx, input }) => {
    const nameBegins = searchKey(input.search);
    return pageById(
      input,
      (page) => listAccounts(ctx.services.db, ctx.scope, { ...page, nameBegins }),
      toAccountView,
    );
  });
