import { listOwners } from '@gatehouse/db';
import { listView, searchInput } from '@gatehouse/http/page';
import { z } from 'zod';
import { staffScopedProcedure } from '../../core/guard/procedures.js';
import { memberView, toMemberView } from '../../core/member-view.js';
import { pageById } from './page-by-id.js';
import { peopleSearch } from './people-search.js';

const ownerView = memberView.extend({ accounts: z.array(z.object({ id: z.int(), name: z.string() })) });

/** The owners of the caller's accounts, each with the first hundred of those accounts. */
export const owners = staffScopedProcedure('member.list')
  .input(searchInput)
  .output(listView(ownerView))
  .query(({ ctx, input }) => {
    const nowMs = ctx.services.now();
    return pageById(
      input,
      (page) => listOwners(ctx.services.db, ctx.scope, { ...page, ...peopleSearch(input.search) }),
      (row) => ({ accounts: row.accounts, ...toMemberView(row, nowMs) }),
    );
  });
