import { searchTextSchema } from '@gatehouse/auth-core';
import { searchManagers as findManagers } from '@gatehouse/db';
import { memberView, toMemberView } from '@gatehouse/features/app/member-view';
import { staffScopedProcedure } from '@gatehouse/features/app/procedures';
import { listView, pageInput } from '@gatehouse/http/page';
import { z } from 'zod';
import { pageById } from '../../member/staff/page-by-id.js';
import { peopleSearch } from '../../member/staff/people-search.js';

/** The account managers and designers who work in the accounts the caller acts in, as members or by a grant. */
export const searchManagers = staffScopedProcedure('personnel.read')
  .input(z.object({ search: searchTextSchema.default(''), ...pageInput }))
  .output(listView(memberView))
  .query(({ ctx, input }) => {
    const { accountManager, designer } = ctx.kit.roles.id;
    const who = { askerId: ctx.caller.memberId, roleTypes: [accountManager, designer] };
    const people = peopleSearch(input.search);
    return pageById(
      input,
      (page) => findManagers(ctx.kit.db, ctx.scope, { ...who, ...page, ...people }),
      toMemberView,
    );
  });
