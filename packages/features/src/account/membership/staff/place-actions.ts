import { accountLevelAt, decideAccess, isRootStaff, mayChange } from '@gatehouse/auth-core';
import { type AccountState, isBanned, isProven, type ListedMember, type MemberStanding } from '@gatehouse/db';
import { actingRoleIn } from '../../../core/authority/authority-over.js';
import type { StaffContext } from '../../../core/authority/require-authority.js';

/** What staff do about a member of an account. */
export const PLACE_ACTIONS = ['changeRole', 'remove', 'transferOwnership'] as const;

type PlaceAction = (typeof PLACE_ACTIONS)[number];

/** A member in a list of one account. */
interface Place
  extends Pick<ListedMember, 'id' | 'email' | 'accountRoleType' | 'emailConfirmedAtMs' | 'ownerProvenAtMs'> {
  readonly standing: MemberStanding | undefined;
}

/**
 * Tells of each member of a live account what the service would not refuse the caller about them now. Which roles they may
 * give is told of the account.
 */
export function placeActionsIn(
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
  return ({ standing, ...place }) => {
    const { id, accountRoleType } = place;
    if (accountRoleType === undefined || standing === undefined || id === ownerId) return [];
    const { isPersonnel } = standing;
    const isChangeable = manages && (isRoot || !isPersonnel) && mayChange(roles, actingRole, accountRoleType);
    const allowed: Readonly<Record<PlaceAction, boolean>> = {
      changeRole: isChangeable,
      remove: isChangeable,
      transferOwnership:
        isRoot &&
        !isPersonnel &&
        isOwnerReady(standing, level) &&
        isProven(place) &&
        !isBanned(standing, nowMs),
    };
    return PLACE_ACTIONS.filter((action) => allowed[action]);
  };
}

/** Whether a member has proven their address and has the factors that an account asks of its owner. */
function isOwnerReady({ ownerProvenAtMs, factorLevel }: MemberStanding, level: number): boolean {
  return ownerProvenAtMs !== null && factorLevel >= level;
}
