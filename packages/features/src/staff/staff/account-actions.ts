import { decideAccess, isRootStaff, mayChange, type Permission } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db/queries/find-account-state';
import { findMembership } from '@gatehouse/db/queries/memberships';
import type { AccountOverview } from '@gatehouse/db/queries/read-overviews';
import { isRunning } from '../../billing/account-subscription.js';
import { ONLY_FOR_OWNERS } from '../../core/access/access-reader.js';
import { actingRoleIn } from '../../core/authority/authority-over.js';
import { isOwnerRole, mayOffer, offeredRole } from '../../core/authority/given-role.js';
import type { StaffContext } from '../../core/authority/require-authority.js';
import { BILLING_PROVIDERS } from '../../core/billing/billing-event.js';
import { currentSubscription } from '../../core/current-subscription.js';

/** What staff do about an account. */
export const ACCOUNT_ACTIONS = [
  'seeInvitations',
  'invite',
  'seePolicy',
  'saveRole',
  'extendTrial',
  'reconcile',
  'remove',
  'restore',
] as const;

type AccountAction = (typeof ACCOUNT_ACTIONS)[number];

interface AboutAccount {
  readonly row: AccountOverview;
  readonly state: AccountState;
}

/**
 * The actions that the service would not refuse the caller now, whether or not they change anything. An input may still be
 * refused, and a proof of identity required.
 */
export async function accountActions(
  { services, caller }: Pick<StaffContext, 'services' | 'caller'>,
  { row, state }: AboutAccount,
): Promise<AccountAction[]> {
  const { access, roles } = services;
  const isLive = !row.isDeleted;
  const isRoot = isRootStaff(roles, caller.member);
  const { permissions } = decideAccess(roles, caller.member, { accountId: row.id, account: state });
  const manages = permissions.has('member.manage');
  const allowed: Readonly<Record<AccountAction, boolean>> = {
    seeInvitations: manages,
    invite: manages && typeof (await access.profile(caller.member))?.emailConfirmedAtMs === 'number',
    seePolicy: permissions.has('account.manage'),
    saveRole: permissions.has('account.manage'),
    extendTrial: isRoot && isLive && !isPaid(services, state),
    reconcile: isRoot && isLive && canAskProvider(services, state),
    remove: isRoot && isLive,
    restore: isRoot && (isLive || (await isRestorable({ services }, row))),
  };
  return ACCOUNT_ACTIONS.filter((action) => allowed[action]);
}

function canAskProvider({ billing }: StaffContext['services'], { subscription }: AccountState): boolean {
  const provider = BILLING_PROVIDERS.find((each) => each === subscription?.provider);
  return provider !== undefined && billing.apis[provider] !== undefined;
}

/** Answers for each role of an account whether the caller may give it there, and invite to it. */
export function offersIn(
  { services: { roles }, caller }: Pick<StaffContext, 'services' | 'caller'>,
  account: AccountState,
): (role: Parameters<typeof offeredRole>[2]) => boolean {
  return (role) => {
    const offered = offeredRole(roles, account, role);
    // Staff who may invite to a role may assign it, too.
    return offered !== undefined && mayOffer(roles, caller.member, account, offered);
  };
}

/** The built-in roles that the caller may give in an account, and invite to. */
export function givableRoles(
  ctx: Pick<StaffContext, 'services' | 'caller'>,
  account: AccountState,
): number[] {
  const mayGive = offersIn(ctx, account);
  return Object.values(ctx.services.roles.id).filter((roleType) => mayGive({ roleType, customRoleId: null }));
}

/** The permissions that the caller may give to custom roles of an account, and whether they may change roles of a rank there. */
export function rolesGiven(
  { services: { roles }, caller }: Pick<StaffContext, 'services' | 'caller'>,
  account: AccountState,
): { readonly permissions: readonly Permission[]; readonly isChangeable: (roleType: number) => boolean } {
  const { permissions } = decideAccess(roles, caller.member, { accountId: account.id, account });
  const makes = permissions.has('account.manage');
  const role = actingRoleIn(roles, caller.member, account.id);
  return {
    permissions: makes
      ? roles.permissions.filter((each) => permissions.has(each) && !ONLY_FOR_OWNERS.has(each))
      : [],
    isChangeable: (roleType) => makes && mayChange(roles, role, roleType),
  };
}

/** Whether a provider has a subscription of the account that is not over. */
function isPaid(services: StaffContext['services'], state: AccountState): boolean {
  const { subscription } = state;
  if (subscription === null || subscription.provider === null) return false;
  return isRunning(subscription) || currentSubscription(services, state).active;
}

/** Whether a closed account has an owner, and its content is not erased. One whose owner is deleted comes back with them. */
async function isRestorable(
  { services: { db, roles, now } }: Pick<StaffContext, 'services'>,
  { id: accountId, ownerId, isOwnerDeleted, erasesAtMs }: AccountOverview,
): Promise<boolean> {
  if (erasesAtMs === null || now() >= erasesAtMs || isOwnerDeleted !== false) return false;
  const place = await findMembership(db, { memberId: ownerId, accountId });
  return place?.active === true && isOwnerRole(roles, place.roleType);
}
