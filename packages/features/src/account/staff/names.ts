import { searchKey, searchTextSchema } from '@gatehouse/auth-core';
import { listAccounts } from '@gatehouse/db';
import { listInput, listView } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffScopedProcedure } from '../../app/procedures.js';
import { pageById } from '../../member/staff/page-by-id.js';

/** The names of the accounts the caller acts in, by any part of the name: what a selection field shows. */
export const names = staffScopedProcedure('account.read')
  .input(listInput({ search: searchTextSchema.default('') }))
  .output(listView(z.object({ id: z.int(), name: z.string() })))
  .query(({ ctx, input }) => {
    const nameContains = searchKey(input.search);
    return pageById(
      input,
      (page) => listAccounts(ctx.services.db, ctx.scope, { ...page, nameContains }),
      ({ id, name }) => ({ id, name }),
    );
  });
