import {
  AppError,
  decideAccess,
  isRootStaff,
  type Permission,
  STAFF_PERMISSIONS,
  type StaffPermission,
  staffReach,
} from '@gatehouse/auth-core';
import { accountIdFrom } from '@gatehouse/http/server/request-headers';
import type { Rule } from '@gatehouse/http/trpc/procedure-rule';
import type { AccessReader } from '../access/access-reader.js';
import type { Context } from '../context.js';
import { currentSubscription } from '../current-subscription.js';
import {
  type AccountScope,
  everyAccount,
  openedAccounts,
  type ReachedAccount,
  reachAccount,
} from './account-access.js';
import { type Caller, identifyBearer, identifyCaller, requireInPerson } from './caller.js';
import { requireFresh, requireFreshWithFactor } from './freshness.js';
import type { Authorize } from './guarded.js';
import { requireLevel } from './level.js';
import { type CallingPartner, identifyPartner } from './service-callers.js';

/** Rules whose callers send the token of a session or of a partner. */
export type TokenRule = Exclude<Rule, { readonly who: 'anyone' | 'authToken' }>;

type CallerRule = Exclude<TokenRule, { readonly who: 'partner' }>;

/** What the body of a procedure with a rule is given: who calls, and the account or the accounts in which. */
export type Granted<R extends TokenRule> = R extends { readonly who: 'partner' }
  ? { readonly partner: CallingPartner }
  : R extends { readonly who: 'bearer' }
    ? { readonly caller: Caller }
    : R extends { readonly staffWithoutAccount: true } | { readonly inAccounts: true }
      ? { readonly caller: Caller; readonly scope: AccountScope }
      : R extends { readonly orOwn: true }
        ? { readonly caller: Caller; readonly account: ReachedAccount; readonly sees: 'all' | 'own' }
        : R extends { readonly who: 'account' }
          ? { readonly caller: Caller; readonly account: ReachedAccount }
          : {
              readonly caller: Caller;
              /** The selected account, which only `permissionInAccount` checks. */
              readonly accountId: number | null;
            };

/** All that any rule grants. */
interface Grant {
  readonly caller: Caller;
  readonly accountId?: number | null;
  readonly account?: ReachedAccount;
  readonly scope?: AccountScope;
  readonly sees?: 'all' | 'own';
}

/**
 * The check of a rule. Every rule checks in the same order: who calls, the account and the permission in it, in person,
 * primary owner, the level of the session, a recent verification, the subscription.
 */
export function authorizeBy<R extends TokenRule>(rule: R): Authorize<Granted<R>> {
  return async (ctx, access) => {
    const granted =
      rule.who === 'partner'
        ? { partner: await identifyPartner(ctx, access) }
        : await grant(rule, ctx, access);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Granted` says for each rule what `grant` returns
    return granted as unknown as Granted<R>;
  };
}

async function grant(rule: CallerRule, ctx: Context, access: AccessReader): Promise<Grant> {
  const caller = await identify(rule, ctx, access);
  const granted = { caller, ...(await grantAccounts(rule, ctx, access, caller)) };
  if ('inPerson' in rule) requireInPerson(caller);
  if (rule.who === 'account' && rule.primaryOwner && granted.account?.ownerId !== caller.memberId)
    throw new AppError('permission_denied');
  await requireSession(rule, ctx, access, caller);
  if (rule.who === 'account' && rule.entitled) await requireSubscription(ctx, access, granted.account?.id);
  return granted;
}

async function identify(rule: CallerRule, ctx: Context, access: AccessReader): Promise<Caller> {
  if (rule.who === 'bearer') return identifyBearer(ctx, access);
  const caller = await identifyCaller(ctx, access);
  if (rule.who === 'member' || (rule.who === 'account' && !rule.staffOnly)) return caller;
  const { roles } = ctx.services;
  const permission = rule.who === 'staff' && isStaffPermission(rule.permission) ? rule.permission : undefined;
  const { reason } = decideAccess(roles, caller.member, { staff: { permission } });
  // The session of a partner never grants staff access, because the member may have become staff since.
  const isRefused = reason !== undefined || caller.session.partnerId !== undefined;
  if (isRefused || (rule.who === 'root' && !isRootStaff(roles, caller.member)))
    throw new AppError('permission_denied');
  return caller;
}

async function grantAccounts(
  rule: CallerRule,
  ctx: Context,
  access: AccessReader,
  caller: Caller,
): Promise<Omit<Grant, 'caller'>> {
  if (rule.who === 'bearer') return {};
  const accountId = accountIdFrom(ctx.call.header('accountid'));
  if (rule.who === 'staff' && rule.inAccounts) {
    const permission = isStaffPermission(rule.permission) ? 'account.read' : rule.permission;
    return { scope: await scopeOf(ctx, access, caller, permission) };
  }
  if (rule.who === 'account') {
    const { permission, atAnyLevel = false } = rule;
    if (rule.staffWithoutAccount) return { scope: await scopeOf(ctx, access, caller, permission) };
    if (accountId === null) throw new AppError('account_required');
    if (!rule.orOwn)
      return { account: await reachAccount(ctx, caller, accountId, { access, permission, atAnyLevel }) };
    const account = await reachAccount(ctx, caller, accountId, { access, atAnyLevel });
    return { account, sees: account.permissions.has(permission) ? 'all' : 'own' };
  }
  if (rule.who === 'member' && rule.permissionInAccount !== undefined && accountId !== null)
    await reachAccount(ctx, caller, accountId, { access, permission: rule.permissionInAccount });
  return { accountId };
}

/**
 * The accounts of a caller who may omit the account: the selected one, all those in which staff have the permission, or
 * every account for base role 0.
 */
async function scopeOf(
  ctx: Context,
  access: AccessReader,
  caller: Caller,
  permission: Permission,
): Promise<AccountScope> {
  const { member } = caller;
  if (ctx.call.header('accountid') !== undefined || !member.isPersonnel) {
    const accountId = accountIdFrom(ctx.call.header('accountid'));
    if (accountId === null) throw new AppError('account_required');
    const account = await reachAccount(ctx, caller, accountId, { access, permission });
    return { all: false, accountIds: [account.id] };
  }
  const reach = staffReach(ctx.services.roles, member, permission);
  if (reach === 'all') return everyAccount(access, caller);
  return { all: false, accountIds: await openedAccounts(ctx, access, caller, [...reach]) };
}

/**
 * Requires of the session the level that staff need, unless the procedure is for reaching it, and a recent verification if
 * the rule asks for one. The session of a recovery opens only what its rule says; its ticket is the verification there.
 */
async function requireSession(
  rule: CallerRule,
  ctx: Context,
  access: AccessReader,
  caller: Caller,
): Promise<void> {
  const fresh = 'fresh' in rule ? rule.fresh : undefined;
  const { opensBelowLevel, opensInRecovery } = rule.who === 'member' ? rule : {};
  if (!opensBelowLevel) requireLevel(ctx, caller);
  if (caller.session.recoveryId !== undefined) {
    if (!opensInRecovery) throw new AppError('enrolment_required');
  } else if (fresh?.onlyWithSecondFactor) await requireFreshWithFactor(ctx, caller, access);
  else if (fresh !== undefined) await requireFresh(ctx, caller, access);
}

async function requireSubscription(
  { services }: Context,
  access: AccessReader,
  accountId: number | undefined,
): Promise<void> {
  const state = accountId === undefined ? undefined : await access.account(accountId);
  if (!state || !currentSubscription(services, state).active) throw new AppError('subscription_required');
}

const STAFF_PERMISSION_NAMES: ReadonlySet<string> = new Set(STAFF_PERMISSIONS);

function isStaffPermission(
  permission: Permission | StaffPermission | undefined,
): permission is StaffPermission {
  return permission !== undefined && STAFF_PERMISSION_NAMES.has(permission);
}
