import { listMembers } from '@gatehouse/db';
import { memberView, toMemberView } from '@gatehouse/features/app/member-view';
import { scopedProcedure } from '@gatehouse/features/app/procedures';
import { idCursor, listView, openCursor, pageInput, toPage } from '@gatehouse/http/page';
import { z } from 'zod';

/** The members of the selected account; for staff without one, of every account they reach. */
export const list = scopedProcedure('member.list')
  .input(z.object(pageInput))
  .output(listView(memberView))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const { db, rosters } = ctx.kit;
    const page = { afterId, limit: input.limit + 1 };
    const rows = await listMembers(db, ctx.scope, page, rosters.listMemberIds);
    return toPage(rows, input.limit, (row) => [row.id], toMemberView);
  });
