import { listOwnAccounts } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { memberProcedure } from '../app/procedures.js';
import { ownAccountView, ownRole, toOwnAccountView } from './own-account-view.js';

/** The caller's accounts, including closed ones that can be restored. */
export const listMine = memberProcedure
  .meta({ about: { summary: "List one's accounts" } })
  .input(listInput({}))
  .output(listView(ownAccountView))
  .query(async ({ ctx, input }) => {
    const { services, caller } = ctx;
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const rows = await listOwnAccounts(services.db, [...caller.member.memberships.keys()], {
      afterId,
      limit: input.limit + 1,
    });
    return toPage(
      rows,
      input.limit,
      ({ id }) => [id],
      (row) => toOwnAccountView(row, caller.memberId, ownRole(services.roles, caller.member, row.id)),
    );
  });
