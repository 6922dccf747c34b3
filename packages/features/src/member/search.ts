import { searchKey, searchTextSchema } from '@gatehouse/auth-core';
import { type FoundMember, listMembers, searchMembers } from '@gatehouse/db';
import { memberView, toMemberView } from '@gatehouse/features/app/member-view';
import { scopedProcedure } from '@gatehouse/features/app/procedures';
import { listView, openCursor, pageInput, textCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';

/** The members of the selected account whose username has a text in it; for staff without one, of every account they reach. */
export const search = scopedProcedure('member.list')
  .input(z.object({ username: searchTextSchema, ...pageInput }))
  .output(listView(memberView))
  .query(async ({ ctx, input }) => {
    const { db, rosters } = ctx.kit;
    const [part, memberId] = openCursor(input.cursor, textCursor) ?? ['', 0];
    const nameKey = searchKey(input.username);
    const limit = input.limit + 1;
    const { listMemberIds } = rosters;
    const rows =
      nameKey === ''
        ? (await listMembers(db, ctx.scope, { afterId: memberId, limit }, listMemberIds)).map(withIdCursor)
        : await searchMembers(db, ctx.scope, { nameKey, after: { part, memberId }, limit }, listMemberIds);
    return toPage(rows, input.limit, ({ cursor }) => [cursor.part, cursor.memberId], toMemberView);
  });

function withIdCursor<Row extends { id: number }>(row: Row): Row & Pick<FoundMember, 'cursor'> {
  return { cursor: { part: '', memberId: row.id }, ...row };
}
