import { listAccounts } from '@gatehouse/db';
import { listView, pageInput } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffScopedProcedure } from '../../app/procedures.js';
import { pageById } from '../../member/staff/page-by-id.js';
import { accountView, toAccountView } from './account-view.js';

/** The accounts the caller acts in. */
export const list = staffScopedProcedure('account.read')
  .input(z.object(pageInput))
  .output(listView(accountView))
  .query(({ ctx, input }) =>
    pageById(input, (page) => listAccounts(ctx.services.db, ctx.scope, page), toAccountView),
  );
