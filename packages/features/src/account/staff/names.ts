import { searchKey } from '@gatehouse/auth-core';
import { listAccounts } from '@gatehouse/db';
import { listView, searchInput } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffScopedProcedure } from '../../core/guard/procedures.js';
import { pageById } from '../../member/staff/page-by-id.js';
import { searchedId } from '../../member/staff/searched-id.js';

/** The names of the caller's accounts, by any part of the name or by id, for a selection field. */
export const names = staffScopedProcedure('account.read')
  .input(searchInput)
  .output(listView(z.object({ id: z.int(), name: z.string() })))
  .query(({ ctx, input }) => {
    const nameContains = searchKey(input.search);
    const orId = searchedId(input.search);
    return pageById(
      input,
      (page) => listAccounts(ctx.services.db, ctx.scope, { ...page, nameContains, orId }),
      ({ id, name }) => ({ id, name }),
    );
  });
