import { decideAccess, isRootStaff, mayGive, mayImpersonate } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { isActiveAt, isBanned } from '@gatehouse/db/queries/member-columns';
import { findInvitedPersonnel, listAdministrators } from '@gatehouse/db/queries/personnel';
import type { MemberOverview } from '@gatehouse/db/queries/read-overviews';
import type { RecoveryRow } from '@gatehouse/db/queries/recoveries';
import { isRestorable } from '@gatehouse/db/queries/restore-member';
import { listReturningPlaces } from '@gatehouse/db/queries/returning-places';
import { restorableSince } from '../../account/restore-own-member.js';
import type { MemberSnapshot } from '../../core/access/access-reader.js';
import {
  type Authority,
  type AuthorityNeed,
  authorityOver,
  MEMBER_NEEDS,
} from '../../core/authority/authority-over.js';
import { roleWithoutBan } from '../../core/authority/base-role.js';
import { readAuthority, type StaffContext, scopeWith } from '../../core/authority/require-authority.js';
import { isInScope, openedAccounts } from '../../core/guard/account-access.js';

/** What staff do about a member. */
export const MEMBER_ACTIONS = [
  'unlock',
  'sendReset',
  'sendConfirmation',
  'retryMail',
  'seeSessions',
  'endSessions',
  'changeName',
  'changeAddress',
  'ban',
  'unban',
  'impersonate',
  'promote',
  'reinvite',
  'openRecovery',
  'approveRecovery',
  'cancelRecovery',
  'remove',
  'restore',
  'export',
] as const;

type MemberAction = (typeof MEMBER_ACTIONS)[number];

interface AboutMember {
  readonly row: MemberOverview;
  /** The open one. */
  readonly recovery: RecoveryRow | undefined;
}

/**
 * The actions that the service would not refuse the caller now, whether or not they change anything. An input may still be
 * refused, and a proof of identity required.
 */
export async function memberActions(ctx: StaffContext, about: AboutMember): Promise<MemberAction[]> {
  const member = await ctx.services.access.member(about.row.id);
  const [byNeed, impersonate, asRoot] = [
    await actionsByNeed(ctx, about, member),
    await mayActFor(ctx, member),
    await actionsOfRoot(ctx, about),
  ];
  const allowed: Readonly<Record<MemberAction, boolean>> = { ...byNeed, ...asRoot, impersonate };
  return MEMBER_ACTIONS.filter((action) => allowed[action]);
}

async function actionsByNeed(ctx: StaffContext, { row }: AboutMember, member: MemberSnapshot | undefined) {
  const { services } = ctx;
  const scope = await scopeWith(ctx, 'member.manage', placesOf(member));
  const authority = row.isDeleted
    ? await authorityOverLeaving(ctx, row)
    : member && (await authorityOverRow({ ...ctx, scope }, row, member));
  const may = (action: keyof typeof MEMBER_NEEDS) => {
    const { need, orLeaving = false }: AuthorityNeed = MEMBER_NEEDS[action];
    return authority?.[need] === true && (orLeaving || !row.isDeleted);
  };
  const hasAddress = row.email !== null;
  const canGetMail = !isBanned(row, services.now());
  return {
    unlock: may('unlock'),
    sendReset: may('sendReset') && canGetMail && hasAddress,
    sendConfirmation: may('sendConfirmation') && canGetMail && (hasAddress || row.pendingEmail !== null),
    // Staff of every account also retry mails without a member.
    retryMail: scope.all || may('retryMail'),
    seeSessions: may('seeSessions'),
    endSessions: may('endSessions'),
    changeName: may('changeName'),
    changeAddress: may('changeAddress'),
    ban: may('ban') && !(await isLastAdministrator(ctx, row)),
    unban: may('unban'),
  };
}

/** What the caller may do with a member who deleted themselves, by the memberships that would come back with them. */
async function authorityOverLeaving(ctx: StaffContext, row: MemberOverview): Promise<Authority | undefined> {
  if (row.erasesAtMs === null) return undefined;
  const { access, db } = ctx.services;
  const places = await listReturningPlaces(db, row.id);
  const scope = await scopeWith(
    ctx,
    'member.manage',
    places.map(({ accountId }) => accountId),
  );
  return readAuthority({ ...ctx, scope }, { db, accounts: access.accounts }, row, 'member.manage');
}

const placesOf = (member: MemberSnapshot | undefined): number[] => [...(member?.memberships.keys() ?? [])];

/** As in `readAuthority`, whose rows are already read here. */
async function authorityOverRow(
  ctx: StaffContext,
  { roleType, isPersonnel }: MemberOverview,
  member: MemberSnapshot,
): Promise<Authority> {
  const { caller, scope, services } = ctx;
  const { access, roles } = services;
  const places = placesOf(member);
  const states = await access.accounts(places);
  const memberships = [...member.memberships]
    .filter(([accountId]) => states.get(accountId)?.isDeleted === false)
    .map(([accountId, roleThere]) => ({ accountId, roleType: roleThere }));
  const opened = await openedAccounts(ctx, access, caller, places);
  const subject = { isPersonnel, roleType: roleWithoutBan(roles, { roleType }), memberships };
  return authorityOver(roles, caller.member, { scope, permission: 'member.manage', opened }, subject);
}

/** Whether the caller may act for the member, in one of their accounts at least. */
async function mayActFor(ctx: StaffContext, member: MemberSnapshot | undefined): Promise<boolean> {
  const { access, roles } = ctx.services;
  const actor = ctx.caller.member;
  if (member === undefined) return false;
  if (isRootStaff(roles, actor))
    return mayImpersonate(roles, { actor, member, accountId: null, account: undefined });
  const scope = await scopeWith(ctx, 'account.read', placesOf(member));
  const places = placesOf(member).filter((id) => isInScope(scope, id));
  const accounts = await access.accounts(places);
  return places.some((accountId) =>
    mayImpersonate(roles, { actor, member, accountId, account: accounts.get(accountId) }),
  );
}

/** The actions that only base role 0 may take. */
async function actionsOfRoot(ctx: StaffContext, { row, recovery }: AboutMember) {
  const { services, caller } = ctx;
  const { config, db, now, roles } = services;
  const nowMs = now();
  const memberId = row.id;
  const isRoot = isRootStaff(roles, caller.member);
  const isThere = isRoot && !row.isDeleted && !(await isLastAdministrator(ctx, row));
  const { reason } = decideAccess(roles, caller.member, { staff: { permission: 'personnel.manage' } });
  const managesStaff = reason === undefined;
  const isReachable = row.email !== null;
  const restoration = { memberId, removedSinceMs: restorableSince(config, nowMs), nowMs };
  return {
    promote: managesStaff && isThere && isReachable && !isBanned(row, nowMs) && mayMakeStaff(ctx, row),
    reinvite: managesStaff && isActiveAt(row, nowMs) && isReachable && (await isInvited(db, row)),
    openRecovery:
      isRoot &&
      memberId !== caller.memberId &&
      isActiveAt(row, nowMs) &&
      isReachable &&
      row.emailConfirmedAtMs !== null,
    approveRecovery:
      isRoot && recovery !== undefined && ![recovery.openedById, memberId].includes(caller.memberId),
    cancelRecovery: isRoot && recovery !== undefined,
    remove: isThere || (isRoot && mayReturn(row, nowMs)),
    restore: isRoot && (!row.isDeleted || (await isRestorable(db, restoration))),
    export: isRoot,
  };
}

/** Whether a member deleted themselves and can come back by themselves. */
export function mayReturn({ isDeleted, erasesAtMs, deletedById }: MemberOverview, nowMs: number): boolean {
  return isDeleted && erasesAtMs !== null && erasesAtMs > nowMs && deletedById === null;
}

function mayMakeStaff({ services: { roles }, caller }: StaffContext, { roleType }: MemberOverview): boolean {
  const { accountManager } = roles.id;
  return roleType === accountManager || mayGive(roles, caller.member.roleType, accountManager);
}

async function isInvited(
  db: Database,
  { id, isPersonnel, emailConfirmedAtMs, lastLoginAtMs }: MemberOverview,
): Promise<boolean> {
  // For nearly everybody the row already says that they were not, or have joined.
  if (!isPersonnel || emailConfirmedAtMs !== null || lastLoginAtMs !== null) return false;
  return (await findInvitedPersonnel(db, id)) !== undefined;
}

/** Whether nobody of base role 0 would be left. Only the caller can be the last. */
async function isLastAdministrator(
  { services, caller }: StaffContext,
  row: MemberOverview,
): Promise<boolean> {
  if (row.id !== caller.memberId || row.roleType !== services.roles.id.admin) return false;
  const administrators = await listAdministrators(services.db, services.now());
  return administrators.every((id) => id === row.id);
}
