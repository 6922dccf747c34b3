import { searchKey, searchTextSchema } from '@gatehouse/auth-core';
import { type FoundMember, listMembers, searchMembers } from '@gatehouse/db';
import { listView, openCursor, pageInput, textCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { selectedAccount } from '../core/guard/account-access.js';
import { scopedProcedure } from '../core/guard/procedures.js';
import { placedMemberView, toPlacedMemberView } from './placed-member-view.js';

/**
 * The members of the selected account whose username contains a text. Staff without a selected account search
 * all accounts they reach.
 */
export const search = scopedProcedure('member.list')
  .input(z.object({ username: searchTextSchema, ...pageInput }))
  .output(listView(placedMemberView))
  .query(async ({ ctx, input }) => {
    const { db, membershipCache } = ctx.services;
    const [part, memberId] = openCursor(input.cursor, textCursor) ?? ['', 0];
    const nameKey = searchKey(input.username);
    const limit = input.limit + 1;
    const { listMemberIds } = membershipCache;
    const rows =
      nameKey === ''
        ? (await listMembers(db, ctx.scope, { afterId: memberId, limit }, listMemberIds)).map(withIdCursor)
        : await searchMembers(db, ctx.scope, { nameKey, after: { part, memberId }, limit }, listMemberIds);
    const view = toPlacedMemberView(ctx.services, await selectedAccount(ctx));
    return toPage(rows, input.limit, ({ cursor }) => [cursor.part, cursor.memberId], view);
  });

function withIdCursor<Row extends { id: number }>(row: Row): Row & Pick<FoundMember, 'cursor'> {
  return { cursor: { part: '', memberId: row.id }, ...row };
}
