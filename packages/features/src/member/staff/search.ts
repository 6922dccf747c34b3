import { searchPeople } from '@gatehouse/db';
import { listView, searchInput } from '@gatehouse/http/page';
import { memberView, toMemberView } from '../../app/member-view.js';
import { staffScopedProcedure } from '../../app/procedures.js';
import { pageById } from './page-by-id.js';
import { peopleSearch } from './people-search.js';

/**
 * The members of the caller's accounts, by any part of username, first or last name or e-mail address, or by
 * id.
 */
export const search = staffScopedProcedure('member.list')
  .input(searchInput)
  .output(listView(memberView))
  .query(({ ctx, input }) => {
    const people = peopleSearch(input.search);
    return pageById(
      input,
      (page) => searchPeople(ctx.services.db, ctx.scope, { ...page, ...people }),
      toMemberView,
    );
  });
