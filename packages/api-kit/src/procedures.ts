import {
  AppError,
  type Permission,
  STAFF_PERMISSIONS,
  type StaffPermission,
  staffPermissions,
  staffReach,
} from '@gatehouse/auth-core';
import { type ReachedAccount, reachAccount, requirePermission } from './access/account-access.js';
import { identifyByAuthToken } from './access/auth-token.js';
import { type Caller, identifyBearer, identifyCaller } from './access/caller.js';
import { identifyPartner } from './access/identify-partner.js';
import { liveAccounts } from './access/reachable-accounts.js';
import { accountIdFrom } from './account-header.js';
import type { Context } from './context.js';
import { t } from './trpc.js';

/** Open to anyone. Whatever is built on it is limited and says nothing about who exists. */
export const publicProcedure = t.procedure.meta({ rule: { who: 'anyone' } });

/** Needs a Scheme B token, as the health check of the replaced system did. */
export const bearerProcedure = t.procedure
  .meta({ rule: { who: 'bearer' } })
  .use(async ({ ctx, next }) => next({ ctx: { caller: await identifyBearer(ctx) } }));

/** Needs a signed-in member. A malformed `Accountid` is refused even where no account is needed. */
export const memberProcedure = t.procedure.meta({ rule: { who: 'member' } }).use(async ({ ctx, next }) => {
  const caller = await identifyCaller(ctx);
  return next({ ctx: { caller, accountId: accountIdFrom(ctx.call.header('accountid')) } });
});

/**
 * Needs a member who signed in by themselves. A session that a partner's sign-on began is refused: the partner has seen
 * its token, so what only the member may decide is not decided with it.
 */
export const inPersonProcedure = t.procedure
  .meta({ rule: { who: 'member', inPerson: true } })
  .use(async ({ ctx, next }) => {
    const caller = await identifyCaller(ctx);
    const accountId = accountIdFrom(ctx.call.header('accountid'));
    if (caller.session.partnerId !== undefined) throw new AppError('permission_denied');
    return next({ ctx: { caller, accountId } });
  });

/** Needs the token of a partner that is active, got with a secret that is live. */
export const partnerProcedure = t.procedure
  .meta({ rule: { who: 'partner' } })
  .use(async ({ ctx, next }) => next({ ctx: { partner: await identifyPartner(ctx) } }));

/** Needs a signed-in member, an account they may act in, and the permission there. */
export function accountProcedure(permission: Permission) {
  return t.procedure
    .meta({ rule: { who: 'account', permission, staffWithoutAccount: false } })
    .use(async ({ ctx, next }) => {
      const caller = await identifyCaller(ctx);
      return next({ ctx: { caller, account: await permittedAccount(ctx, caller, permission) } });
    });
}

/**
 * Needs a signed-in member and an account they may act in. `sees` tells whether they see all there, which takes the
 * permission, or their own alone.
 */
export function accountOrOwnProcedure(permission: Permission) {
  return t.procedure
    .meta({ rule: { who: 'account', permission, staffWithoutAccount: false, orOwn: true } })
    .use(async ({ ctx, next }) => {
      const caller = await identifyCaller(ctx);
      const account = await selectedAccount(ctx, caller);
      const sees = account.permissions.has(permission) ? 'all' : 'own';
      return next({ ctx: { caller, account, sees } });
    });
}

/** The accounts a list may show: those named, or all of them. */
export type AccountScope =
  | { readonly all: true }
  | { readonly all: false; readonly accountIds: readonly number[] };

/**
 * As `accountProcedure`, but staff may leave the account out: base role 0 then sees all accounts, other
 * staff the granted ones, never more.
 */
export function scopedProcedure(permission: Permission) {
  return t.procedure
    .meta({ rule: { who: 'account', permission, staffWithoutAccount: true } })
    .use(async ({ ctx, next }) => {
      const caller = await identifyCaller(ctx);
      return next({ ctx: { caller, scope: await accountScope(ctx, caller, permission) } });
    });
}

/** Needs a member of staff, and where one is named the staff permission. */
export function staffProcedure(permission?: StaffPermission) {
  return t.procedure
    .meta({ rule: permission ? { who: 'staff', permission } : { who: 'staff' } })
    .use(async ({ ctx, next }) => {
      const caller = await identifyStaff(ctx, permission);
      return next({ ctx: { caller, accountId: accountIdFrom(ctx.call.header('accountid')) } });
    });
}

/**
 * Needs a member of staff, and gives the accounts in which they act: those where they hold the permission, or for a
 * permission of staff those they reach at all. With an account selected it is that one alone.
 */
export function staffScopedProcedure(permission: Permission | StaffPermission) {
  return t.procedure
    .meta({ rule: { who: 'staff', permission, inAccounts: true } })
    .use(async ({ ctx, next }) => {
      const isForStaff = isStaffPermission(permission);
      const caller = await identifyStaff(ctx, isForStaff ? permission : undefined);
      const scope = await accountScope(ctx, caller, isForStaff ? 'account.read' : permission);
      return next({ ctx: { caller, scope } });
    });
}

/** Needs a member of staff of base role 0. */
export const rootProcedure = t.procedure.meta({ rule: { who: 'root' } }).use(async ({ ctx, next }) => {
  const caller = await identifyStaff(ctx, undefined);
  if (caller.member.roleType !== ctx.kit.roles.id.admin) throw new AppError('permission_denied');
  return next({ ctx: { caller, accountId: accountIdFrom(ctx.call.header('accountid')) } });
});

/** Needs the auth_token of a live member of staff, and nothing else. */
export const authTokenProcedure = t.procedure
  .meta({ rule: { who: 'authToken' } })
  .use(async ({ ctx, next }) => next({ ctx: { staff: await identifyByAuthToken(ctx) } }));

/** A sign-on by a partner opens no door of staff: whoever it was made for may have become staff since. */
async function identifyStaff(ctx: Context, permission: StaffPermission | undefined): Promise<Caller> {
  const caller = await identifyCaller(ctx);
  const isStaff = caller.member.isPersonnel && caller.session.partnerId === undefined;
  const isPermitted =
    permission === undefined || staffPermissions(ctx.kit.roles, caller.member).has(permission);
  if (!isStaff || !isPermitted) throw new AppError('permission_denied');
  return caller;
}

const STAFF_PERMISSION_NAMES: ReadonlySet<string> = new Set(STAFF_PERMISSIONS);

function isStaffPermission(permission: Permission | StaffPermission): permission is StaffPermission {
  return STAFF_PERMISSION_NAMES.has(permission);
}

async function accountScope(ctx: Context, caller: Caller, permission: Permission): Promise<AccountScope> {
  const { member } = caller;
  const isUnbound = ctx.call.header('accountid') === undefined && member.isPersonnel;
  if (!isUnbound) return { all: false, accountIds: [(await permittedAccount(ctx, caller, permission)).id] };
  const reach = staffReach(ctx.kit.roles, member, permission);
  if (reach === 'all') return { all: true };
  return { all: false, accountIds: await liveAccounts(ctx, [...reach]) };
}

async function permittedAccount(
  ctx: Context,
  caller: Caller,
  permission: Permission,
): Promise<ReachedAccount> {
  const account = await selectedAccount(ctx, caller);
  requirePermission(account, permission);
  return account;
}

async function selectedAccount(ctx: Context, caller: Caller): Promise<ReachedAccount> {
  const accountId = accountIdFrom(ctx.call.header('accountid'));
  if (accountId === null) throw new AppError('account_required');
  return reachAccount(ctx, caller, accountId);
}
