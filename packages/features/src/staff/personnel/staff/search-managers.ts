import { searchManagers as findManagers } from '@gatehouse/db';
import { listView, searchInput } from '@gatehouse/http/page';
import { staffScopedProcedure } from '../../../core/guard/procedures.js';
import { memberView, toMemberView } from '../../../core/member-view.js';
import { pageById } from '../../../member/staff/page-by-id.js';
import { peopleSearch } from '../../../member/staff/people-search.js';

/** The account managers and designers with a membership or a grant in the caller's accounts. */
export const searchManagers = staffScopedProcedure('personnel.read')
  .input(searchInput)
  .output(listView(memberView))
  .query(({ ctx, input }) => {
    const { accountManager, designer } = ctx.services.roles.id;
    const who = { askerId: ctx.caller.memberId, roleTypes: [accountManager, designer] };
    const nowMs = ctx.services.now();
    const people = peopleSearch(input.search);
    return pageById(
      input,
      (page) => findManagers(ctx.services.db, ctx.scope, { ...who, ...page, ...people }),
      (row) => toMemberView(row, nowMs),
    );
  });
