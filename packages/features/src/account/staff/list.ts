import { listAccounts } from '@gatehouse/db';
import { staffScopedProcedure } from '@gatehouse/features/app/procedures';
import { listView, pageInput } from '@gatehouse/http/page';
import { z } from 'zod';
import { pageById } from '../../member/staff/page-by-id.js';
import { accountView, toAccountView } from './account-view.js';

/** The accounts the caller acts in. */
export const list = staffScopedProcedure('account.read')
  .input(z.object(pageInput))
  .output(listView(accountView))
  .query(({ ctx, input }) =>
    pageById(input, (page) => listAccounts(ctx.kit.db, ctx.scope, page), toAccountView),
  );
