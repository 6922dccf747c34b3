import { listMembers } from '@gatehouse/db';
import { listInput, listView } from '@gatehouse/http/page';
import { staffAccountProcedure } from '../../app/procedures.js';
import { selectedAccount } from '../../app/selected-account.js';
import { placedMemberView, toPlacedMemberView } from '../placed-member-view.js';
import { pageById } from './page-by-id.js';

/** The members of the selected account, with their roles in it. */
export const list = staffAccountProcedure('member.list')
  .meta({ about: { summary: 'List the members of an account' } })
  .input(listInput({}))
  .output(listView(placedMemberView))
  .query(async ({ ctx, input }) => {
    const { db, roles, membershipCache } = ctx.services;
    const scope = { all: false, accountIds: [ctx.account.id] } as const;
    return pageById(
      input,
      (page) => listMembers(db, scope, page, membershipCache.listMemberIds),
      toPlacedMemberView(roles, await selectedAccount(ctx)),
    );
  });
