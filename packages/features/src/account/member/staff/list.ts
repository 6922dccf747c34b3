import { type Database, type ListedMember, listMemberStandings, listMembers } from '@gatehouse/db';
import { listInput, listView } from '@gatehouse/http/page';
import { z } from 'zod';
import { selectedAccount } from '../../../core/guard/account-access.js';
import { staffAccountProcedure } from '../../../core/guard/procedures.js';
import { placedMemberView, toPlacedMemberView } from '../../../member/placed-member-view.js';
import { pageById } from '../../../member/staff/page-by-id.js';
import { PLACE_ACTIONS, placeActionsIn } from '../../membership/staff/place-actions.js';

const managedMemberView = placedMemberView
  .extend({
    /** What the service would not refuse the caller about the member in this account now. */
    actions: z.array(z.enum(PLACE_ACTIONS)),
  })
  .meta({ id: 'ManagedMember' });

/** The members of the selected account, with their roles in it and what the caller may do about them there. */
export const list = staffAccountProcedure('member.list')
  .meta({ about: { summary: 'List the members of an account' } })
  .input(listInput({}))
  .output(listView(managedMemberView))
  .query(async ({ ctx, input }) => {
    const { db, membershipCache, relyingParty } = ctx.services;
    const scope = { all: false, accountIds: [ctx.account.id] } as const;
    const account = await selectedAccount(ctx);
    const toView = toPlacedMemberView(ctx.services, account);
    const actionsOn = placeActionsIn(ctx, account);
    return pageById(
      input,
      async (page) =>
        withStanding(db, await listMembers(db, scope, page, membershipCache.listMemberIds), relyingParty?.id),
      (row) => ({ actions: actionsOn(row), ...toView(row) }),
    );
  });

async function withStanding(db: Database, rows: readonly ListedMember[], rpId: string | undefined) {
  const standings = await listMemberStandings(
    db,
    rows.map(({ id }) => id),
    rpId,
  );
  return rows.map((row) => ({ standing: standings.get(row.id), ...row }));
}
