import { searchTextSchema } from '@gatehouse/auth-core';
import { searchPeople } from '@gatehouse/db';
import { memberView, toMemberView } from '@gatehouse/features/app/member-view';
import { staffScopedProcedure } from '@gatehouse/features/app/procedures';
import { listView, pageInput } from '@gatehouse/http/page';
import { z } from 'zod';
import { pageById } from './page-by-id.js';
import { peopleSearch } from './people-search.js';

/** The members of the accounts the caller acts in, by any part of username, first name or e-mail address. */
export const search = staffScopedProcedure('member.list')
  .input(z.object({ search: searchTextSchema.default(''), ...pageInput }))
  .output(listView(memberView))
  .query(({ ctx, input }) => {
    const people = peopleSearch(input.search);
    return pageById(
      input,
      (page) => searchPeople(ctx.kit.db, ctx.scope, { ...page, ...people }),
      toMemberView,
    );
  });
