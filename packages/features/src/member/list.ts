import { listMembers } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { selectedAccount } from '../core/guard/account-access.js';
import { scopedProcedure } from '../core/guard/procedures.js';
import { placedMemberView, toPlacedMemberView } from './placed-member-view.js';

/**
 * The members of the selected account. Staff without a selected account get the members of all accounts they
 * reach.
 */
export const list = scopedProcedure('member.list')
  .input(listInput({}))
  .output(listView(placedMemberView))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const { db, membershipCache } = ctx.services;
    const page = { afterId, limit: input.limit + 1 };
    const rows = await listMembers(db, ctx.scope, page, membershipCache.listMemberIds);
    const view = toPlacedMemberView(ctx.services, await selectedAccount(ctx));
    return toPage(rows, input.limit, (row) => [row.id], view);
  });
