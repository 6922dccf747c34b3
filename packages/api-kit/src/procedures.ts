import {
  AppError,
  type Permission,
  type StaffPermission,
  staffPermissions,
  staffReach,
} from '@gatehouse/auth-core';
import { reachAccount, type ReachedAccount, requirePermission } from './access/account-access.js';
import { type Caller, identifyBearer, identifyCaller } from './access/caller.js';
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

/** Needs a signed-in member, an account they may act in, and the permission there. */
export function accountProcedure(permission: Permission) {
  return t.procedure
    .meta({ rule: { who: 'account', permission, staffWithoutAccount: false } })
    .use(async ({ ctx, next }) => {
      const caller = await identifyCaller(ctx);
      return next({ ctx: { caller, account: await permittedAccount(ctx, caller, permission) } });
    });
}

/** The accounts a list may show: those named, or all of them. */
export type AccountScope = { readonly all: true } | { readonly all: false; readonly accountIds: readonly number[] };

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
      const caller = await identifyCaller(ctx);
      const accountId = accountIdFrom(ctx.call.header('accountid'));
      if (!caller.member.isPersonnel) throw new AppError('permission_denied');
      if (permission && !staffPermissions(ctx.kit.roles, caller.member).has(permission)) throw new AppError('permission_denied');
      return next({ ctx: { caller, accountId } });
    });
}

async function accountScope(ctx: Context, caller: Caller, permission: Permission): Promise<AccountScope> {
  const { member } = caller;
  const isUnbound = ctx.call.header('accountid') === undefined && member.isPersonnel;
  if (!isUnbound) return { all: false, accountIds: [(await permittedAccount(ctx, caller, permission)).id] };
  const reach = staffReach(ctx.kit.roles, member, permission);
  if (reach === 'all') return { all: true };
  return { all: false, accountIds: [...reach] };
}

async function permittedAccount(ctx: Context, caller: Caller, permission: Permission): Promise<ReachedAccount> {
  const accountId = accountIdFrom(ctx.call.header('accountid'));
  if (accountId === null) throw new AppError('account_required');
  const account = await reachAccount(ctx, caller, accountId);
  requirePermission(account, permission);
  return account;
}
