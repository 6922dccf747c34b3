import { listAccounts } from '@gatehouse/db';
import { listInput, listView } from '@gatehouse/http/page';
import { staffScopedProcedure } from '../../core/guard/procedures.js';
import { pageById } from '../../member/staff/page-by-id.js';
import { accountView, toAccountView } from './account-view.js';

/** The accounts the caller acts in. */
export const list = staffScopedProcedure('account.read')
  .input(listInput({}))
  .output(listView(accountView))
  .query(({ ctx, input }) =>
    pageById(input, (page) => listAccounts(ctx.services.db, ctx.scope, page), toAccountView),
  );
