import { isDeepStrictEqual } from 'node:util';
import {
  AppError,
  type Permission,
  STAFF_PERMISSIONS,
  type StaffPermission,
  staffPermissions,
  staffReach,
} from '@gatehouse/auth-core';
import { accountIdFrom } from '@gatehouse/http/server/account-header';
import type { Rule } from '@gatehouse/http/trpc/rule';
import type { AccessReader } from '../access/access-reader.js';
import { type ReachedAccount, reachAccount, requirePermission } from './account-access.js';
import type { AccountScope } from './account-scope.js';
import { identifyByAuthToken } from './auth-token.js';
import { type Caller, identifyBearer, identifyCaller } from './caller.js';
import type { Context } from './context.js';
import { currentSubscription } from './current-subscription.js';
import { FRESH, requireFresh } from './freshness.js';
import type { Judge } from './guarded.js';
import { identifyPartner } from './identify-partner.js';
import { liveAccounts } from './reachable-accounts.js';
import { t } from './trpc.js';

/** Open to anyone. Whatever is built on it is limited and says nothing about who exists. */
export const publicProcedure = t.procedure.meta({ rule: { who: 'anyone' } });

/** A read whose statements were sent within this time of its verdict needs no other. */
const VERDICT_LASTS_MS = 100;
/** How often a read is made whose caller's access changes meanwhile. */
const READS = 3;

/**
 * A procedure behind a guard. The guard judges before the body is read, when it can only refuse, so that unauthenticated calls cost
 * nothing; and once the body is here, however long that took and whatever is wrong with it: this verdict counts. What
 * the procedure then writes begins with a third (`changeDecided`), by rows that are held. What it reads may have waited
 * for a connection: a slow read is judged again before it is answered, and made anew where another access came out.
 */
function guarded<Extra extends object>(rule: Rule, judge: Judge<Extra>) {
  return t.procedure.meta({ rule }).use(async ({ ctx, type, getRawInput, next }) => {
    const { access } = ctx.services;
    let extra = await judge(ctx, access);
    if (ctx.call.hasBody) {
      // What is wrong with it is told by whoever parses it.
      await getRawInput().catch(() => undefined);
      extra = await judge(ctx, access);
    }
    for (let read = 1; read <= READS; read += 1) {
      const judgedAtMs = performance.now();
      const result = await next({ ctx: { judge, ...extra } });
      if (type !== 'query' || performance.now() - judgedAtMs <= VERDICT_LASTS_MS) return result;
      const known = extra;
      extra = await judge(ctx, access);
      if (isDeepStrictEqual(extra, known)) return result;
    }
    throw new AppError('unavailable', { retryAfterSeconds: 1 });
  });
}

/** Needs a Scheme B token, as the health check of the replaced system did. */
export const bearerProcedure = guarded({ who: 'bearer' }, async (ctx, access) => ({
  caller: await identifyBearer(ctx, access),
}));

/** Needs a signed-in member. A malformed `Accountid` is refused even where no account is needed. */
export const memberProcedure = guarded({ who: 'member' }, async (ctx, access) => {
  const caller = await identifyCaller(ctx, access);
  return { caller, accountId: accountIdFrom(ctx.call.header('accountid')) };
});

/**
 * Needs a member who signed in by themselves. A session that a partner's sign-on began is refused: the partner has seen
 * its token, so what only the member may decide is not decided with it.
 */
export const inPersonProcedure = guarded({ who: 'member', inPerson: true }, async (ctx, access) => {
  const caller = await identifyCaller(ctx, access);
  const accountId = accountIdFrom(ctx.call.header('accountid'));
  requireInPerson(caller);
  return { caller, accountId };
});

/** As `inPersonProcedure`, of somebody who signed in or showed again who they are within ten minutes. */
export const freshProcedure = guarded(
  { who: 'member', inPerson: true, fresh: FRESH },
  async (ctx, access) => {
    const caller = await identifyCaller(ctx, access);
    const accountId = accountIdFrom(ctx.call.header('accountid'));
    requireInPerson(caller);
    requireFresh(ctx, caller);
    return { caller, accountId };
  },
);

/** Needs the token of a partner that is active, got with a secret that is live. */
export const partnerProcedure = guarded({ who: 'partner' }, async (ctx, access) => ({
  partner: await identifyPartner(ctx, access),
}));

/** Needs a signed-in member, an account they may act in, and the permission there. */
export function accountProcedure(permission: Permission) {
  return guarded({ who: 'account', permission, staffWithoutAccount: false }, async (ctx, access) => {
    const caller = await identifyCaller(ctx, access);
    return { caller, account: await permittedAccount(ctx, access, caller, permission) };
  });
}

/** As `accountProcedure`, of a member who signed in by themselves. */
export function inPersonAccountProcedure(permission: Permission) {
  const rule = { who: 'account', permission, staffWithoutAccount: false, inPerson: true } as const;
  return guarded(rule, async (ctx, access) => {
    const caller = await identifyCaller(ctx, access);
    const account = await permittedAccount(ctx, access, caller, permission);
    requireInPerson(caller);
    return { caller, account };
  });
}

/** Needs the primary owner of the account, in person and fresh. */
export const freshOwnerProcedure = guarded(
  {
    who: 'account',
    permission: 'account.manage',
    staffWithoutAccount: false,
    inPerson: true,
    fresh: FRESH,
    primaryOwner: true,
  },
  async (ctx, access) => {
    const caller = await identifyCaller(ctx, access);
    const account = await permittedAccount(ctx, access, caller, 'account.manage');
    requireInPerson(caller);
    if (account.ownerId !== caller.memberId) throw new AppError('permission_denied');
    requireFresh(ctx, caller);
    return { caller, account };
  },
);

/**
 * As `accountProcedure`, in an account whose subscription is active: the guard of what a product sells.
 * @throws {AppError} `subscription_required`, after every other refusal
 */
export function entitled(permission: Permission) {
  const rule = { who: 'account', permission, staffWithoutAccount: false, entitled: true } as const;
  return guarded(rule, async (ctx, access) => {
    const caller = await identifyCaller(ctx, access);
    const account = await permittedAccount(ctx, access, caller, permission);
    const state = await access.account(account.id);
    if (!state || !currentSubscription(ctx.services, state).active)
      throw new AppError('subscription_required');
    return { caller, account };
  });
}

/**
 * Needs a signed-in member and an account they may act in. `sees` tells whether they see all there, which takes the
 * permission, or their own alone.
 */
export function accountOrOwnProcedure(permission: Permission) {
  const rule = { who: 'account', permission, staffWithoutAccount: false, orOwn: true } as const;
  return guarded(rule, async (ctx, access) => {
    const caller = await identifyCaller(ctx, access);
    const account = await selectedAccount(ctx, access, caller);
    const sees = account.permissions.has(permission) ? 'all' : 'own';
    return { caller, account, sees };
  });
}

/**
 * As `accountProcedure`, but staff may leave the account out: base role 0 then sees all accounts, other
 * staff the granted ones, never more.
 */
export function scopedProcedure(permission: Permission) {
  return guarded({ who: 'account', permission, staffWithoutAccount: true }, async (ctx, access) => {
    const caller = await identifyCaller(ctx, access);
    return { caller, scope: await accountScope(ctx, access, caller, permission) };
  });
}

/** Needs a member of staff, and where one is named the staff permission. */
export function staffProcedure(permission?: StaffPermission) {
  return guarded(permission ? { who: 'staff', permission } : { who: 'staff' }, async (ctx, access) => {
    const caller = await identifyStaff(ctx, access, permission);
    return { caller, accountId: accountIdFrom(ctx.call.header('accountid')) };
  });
}

/**
 * Needs a member of staff, and gives the accounts in which they act: those where they hold the permission, or for a
 * permission of staff those they reach at all. With an account selected it is that one alone.
 */
export function staffScopedProcedure(permission: Permission | StaffPermission) {
  return guarded({ who: 'staff', permission, inAccounts: true }, async (ctx, access) => {
    const isForStaff = isStaffPermission(permission);
    const caller = await identifyStaff(ctx, access, isForStaff ? permission : undefined);
    const scope = await accountScope(ctx, access, caller, isForStaff ? 'account.read' : permission);
    return { caller, scope };
  });
}

/** Needs a member of staff of base role 0. */
export const rootProcedure = guarded({ who: 'root' }, async (ctx, access) => {
  const caller = await identifyStaff(ctx, access, undefined);
  if (caller.member.roleType !== ctx.services.roles.id.admin) throw new AppError('permission_denied');
  return { caller, accountId: accountIdFrom(ctx.call.header('accountid')) };
});

/** Needs the auth_token of a live member of staff, and nothing else. It is asked of the database alone, and reads. */
export const authTokenProcedure = t.procedure
  .meta({ rule: { who: 'authToken' } })
  .use(async ({ ctx, next }) => next({ ctx: { staff: await identifyByAuthToken(ctx) } }));

/** A partner has seen the tokens of the sessions it began. */
function requireInPerson({ session }: Caller): void {
  if (session.partnerId !== undefined) throw new AppError('permission_denied');
}

/** A sign-on by a partner opens nothing of staff: whoever it was made for may have become staff since. */
async function identifyStaff(
  ctx: Context,
  access: AccessReader,
  permission: StaffPermission | undefined,
): Promise<Caller> {
  const caller = await identifyCaller(ctx, access);
  const isStaff = caller.member.isPersonnel && caller.session.partnerId === undefined;
  const isPermitted =
    permission === undefined || staffPermissions(ctx.services.roles, caller.member).has(permission);
  if (!isStaff || !isPermitted) throw new AppError('permission_denied');
  return caller;
}

const STAFF_PERMISSION_NAMES: ReadonlySet<string> = new Set(STAFF_PERMISSIONS);

function isStaffPermission(permission: Permission | StaffPermission): permission is StaffPermission {
  return STAFF_PERMISSION_NAMES.has(permission);
}

async function accountScope(
  ctx: Context,
  access: AccessReader,
  caller: Caller,
  permission: Permission,
): Promise<AccountScope> {
  const { member } = caller;
  const isUnbound = ctx.call.header('accountid') === undefined && member.isPersonnel;
  if (!isUnbound) {
    const account = await permittedAccount(ctx, access, caller, permission);
    return { all: false, accountIds: [account.id] };
  }
  const reach = staffReach(ctx.services.roles, member, permission);
  if (reach === 'all') return { all: true };
  return { all: false, accountIds: await liveAccounts(access, [...reach]) };
}

async function permittedAccount(
  ctx: Context,
  access: AccessReader,
  caller: Caller,
  permission: Permission,
): Promise<ReachedAccount> {
  const account = await selectedAccount(ctx, access, caller);
  requirePermission(account, permission);
  return account;
}

async function selectedAccount(ctx: Context, access: AccessReader, caller: Caller): Promise<ReachedAccount> {
  const accountId = accountIdFrom(ctx.call.header('accountid'));
  if (accountId === null) throw new AppError('account_required');
  return reachAccount(ctx, caller, accountId, access);
}
