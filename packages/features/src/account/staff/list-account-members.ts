import { accountLevelAt, decideAccess, isRootStaff, mayChange } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { AccountState } from '@gatehouse/db/queries/find-account-state';
import { isBanned, isProven, type ListedMember } from '@gatehouse/db/queries/member-columns';
import { listMembers } from '@gatehouse/db/queries/member-lists';
import { listMemberStates, type MemberState } from '@gatehouse/db/queries/read-members';
import { listInput, listView } from '@gatehouse/http/page';
import { z } from 'zod';
import { actingRoleIn } from '../../core/authority/authority-over.js';
import type { StaffContext } from '../../core/authority/require-authority.js';
import { selectedAccount } from '../../core/guard/account-access.js';
import { accountProcedure } from '../../core/guard/procedure.js';
import { placedMemberView, toPlacedMemberView } from '../../member/list-members.js';
import { pageById } from '../../member/staff/search-members-for-staff.js';

/** What staff do about a member of an account. */
const PLACE_ACTIONS = ['changeRole', 'remove', 'transferOwnership'] as const;

type PlaceAction = (typeof PLACE_ACTIONS)[number];

/** A member in a list of one account. */
interface Place
  extends Pick<ListedMember, 'id' | 'email' | 'accountRoleType' | 'emailConfirmedAtMs' | 'ownerProvenAtMs'> {
  readonly state: MemberState | undefined;
}

/**
 * Answers for each member of a live account which actions on them the service would allow the caller now. The roles
 * that the caller may give are listed with the account.
 */
function placeActionsIn(
  { services: { roles, now }, caller }: Pick<StaffContext, 'services' | 'caller'>,
  account: AccountState | undefined,
): (place: Place) => PlaceAction[] {
  if (account === undefined) return () => [];
  const { id: accountId, ownerId } = account;
  const isRoot = isRootStaff(roles, caller.member);
  const { permissions } = decideAccess(roles, caller.member, { accountId, account });
  const manages = permissions.has('member.manage');
  const actingRole = actingRoleIn(roles, caller.member, accountId);
  const nowMs = now();
  const level = accountLevelAt(account, nowMs);
  return ({ state, ...place }) => {
    const { id, accountRoleType } = place;
    if (accountRoleType === undefined || state === undefined || id === ownerId) return [];
    const { isPersonnel } = state;
    const isChangeable = manages && (isRoot || !isPersonnel) && mayChange(roles, actingRole, accountRoleType);
    const allowed: Readonly<Record<PlaceAction, boolean>> = {
      changeRole: isChangeable,
      remove: isChangeable,
      transferOwnership:
        isRoot && !isPersonnel && isOwnerReady(state, level) && isProven(place) && !isBanned(state, nowMs),
    };
    return PLACE_ACTIONS.filter((action) => allowed[action]);
  };
}

/** Whether a member has proven their address and has the factors that an account asks of its owner. */
function isOwnerReady({ ownerProvenAtMs, factorLevel }: MemberState, level: number): boolean {
  return ownerProvenAtMs !== null && factorLevel >= level;
}

const managedMemberView = placedMemberView
  .extend({
    /** The actions on the member in this account that the service would not refuse the caller now. */
    actions: z.array(z.enum(PLACE_ACTIONS)),
  })
  .meta({ id: 'ManagedMember' });

/** The members of the selected account, with their roles in it and what the caller may do about them there. */
export const listMembersForStaff = accountProcedure('member.list', { staffOnly: true })
  .meta({ about: { summary: 'List the members of an account' } })
  .input(listInput({}))
  .output(listView(managedMemberView))
  .query(async ({ ctx, input }) => {
    const { db, relyingParty } = ctx.services;
    const scope = { all: false, accountIds: [ctx.account.id] } as const;
    const account = await selectedAccount(ctx);
    const toView = toPlacedMemberView(ctx.services, account);
    const actionsOn = placeActionsIn(ctx, account);
    return pageById(
      input,
      async (page) => withStatus(db, await listMembers(db, scope, page), relyingParty?.id),
      (row) => ({ actions: actionsOn(row), ...toView(row) }),
    );
  });

async function withStatus(db: Database, rows: readonly ListedMember[], rpId: string | undefined) {
  const states = await listMemberStates(
    db,
    rows.map(({ id }) => id),
    rpId,
  );
  return rows.map((row) => ({ state: states.get(row.id), ...row }));
}
