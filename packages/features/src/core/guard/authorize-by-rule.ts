import {
  AppError,
  decideAccess,
  isRootStaff,
  isStaffPermission,
  type Permission,
  staffReach,
} from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db/queries/find-account-state';
import type { Freshness, Rule } from '@gatehouse/http/trpc/procedure-rule';
import type { AccessReader } from '../access/access-reader.js';
import type { Context } from '../context.js';
import { currentSubscription } from '../current-subscription.js';
import {
  type AccountScope,
  everyAccount,
  openedAccounts,
  type ReachedAccount,
  requireAccess,
  selectedAccountId,
} from './account-access.js';
import { identifyApplication } from './application-caller.js';
import {
  type Caller,
  identifyBearer,
  identifyCaller,
  isMachine,
  isProgram,
  requireInPerson,
} from './caller.js';
import { requireFresh, requireFreshWithFactor } from './freshness.js';
import type { Authorize } from './guarded.js';
import { requireLevel } from './level.js';
import { identifyMachine, requireOpenToPrograms, sentOpaqueToken } from './machine-caller.js';
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

/** Checks a rule: `authorizeCaller` has the order. */
export function authorizeBy<R extends TokenRule>(rule: R): Authorize<Granted<R>> {
  const authorize: Authorize<object> =
    rule.who === 'partner'
      ? async (ctx, access) => ({ partner: await identifyPartner(ctx, access) })
      : (ctx, access) => authorizeCaller(rule, ctx, access);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Granted` says for each rule what is returned
  return authorize as Authorize<Granted<R>>;
}

/**
 * Checks in one order, and refuses for the first thing that the caller lacks:
 *
 * a session (401); for staff procedures, to be staff with the permission; the account; the permission in it; to have signed
 * in in person; to be the primary owner; the level of the session; a recent verification; the subscription (402).
 *
 * The input is parsed afterwards, so 400 comes last.
 */
async function authorizeCaller(rule: CallerRule, ctx: Context, access: AccessReader): Promise<object> {
  const caller = await identify(rule, ctx, access);
  const isPerson = !isProgram(caller);
  if (!isPerson) requireOpenToPrograms(rule);
  requireStaff(rule, ctx, caller);
  const { granted, state } = await grantAccounts(rule, ctx, access, caller);
  if ('inPerson' in rule && isPerson) requireInPerson(caller);
  if ('primaryOwner' in rule && state?.ownerId !== caller.memberId) throw new AppError('permission_denied');
  requireLevelFor(rule, ctx, caller, state);
  if ('fresh' in rule && isPerson) await requireFreshness(rule.fresh, ctx, access, caller);
  if ('entitled' in rule) requireSubscription(ctx, state);
  return { caller, ...granted };
}

/** The caller by a session token, a machine by its key, or an application by its access token. The health check takes Scheme B tokens alone. */
function identify(rule: CallerRule, ctx: Context, access: AccessReader): Promise<Caller> {
  if (rule.who === 'bearer') return identifyBearer(ctx, access);
  const key = sentOpaqueToken(ctx, 'apiKey');
  if (key !== undefined) return identifyMachine(ctx, access, key);
  const token = sentOpaqueToken(ctx, 'accessToken');
  return token === undefined ? identifyCaller(ctx, access) : identifyApplication(ctx, access, token);
}

function requireStaff(rule: CallerRule, ctx: Context, { member, session }: Caller): void {
  const isForStaff = rule.who === 'staff' || rule.who === 'root' || 'staffOnly' in rule;
  if (!isForStaff) return;
  const { roles } = ctx.services;
  const permission = rule.who === 'staff' && isStaffPermission(rule.permission) ? rule.permission : undefined;
  const { reason } = decideAccess(roles, member, { staff: { permission } });
  // The session of a partner never grants staff access, because the member may have become staff since.
  if (reason === 'insufficient_scope') throw new AppError(reason);
  const isRefused = reason !== undefined || session.partnerId !== undefined;
  if (isRefused || (rule.who === 'root' && !isRootStaff(roles, member)))
    throw new AppError('permission_denied');
}

/** The accounts that a rule grants, as its procedure gets them, and the state of the selected one if it was checked. */
interface GrantedAccounts {
  readonly granted: object;
  readonly state?: AccountState | undefined;
}

async function grantAccounts(
  rule: CallerRule,
  ctx: Context,
  access: AccessReader,
  caller: Caller,
): Promise<GrantedAccounts> {
  if (rule.who === 'bearer') return { granted: {} };
  const accountId = selectedAccountId(ctx.call);
  if (rule.who === 'staff' && rule.inAccounts) {
    const permission = isStaffPermission(rule.permission) ? 'account.read' : rule.permission;
    return grantScope(ctx, access, caller, { accountId, permission });
  }
  if (rule.who === 'account') {
    const { permission } = rule;
    // The scopes of a machine of the staff apply in no account.
    const needsAccount = accountId === null && isMachine(caller);
    if (rule.staffWithoutAccount && !needsAccount)
      return grantScope(ctx, access, caller, { accountId, permission });
    if (accountId === null) throw new AppError('account_required');
    const state = await access.account(accountId);
    if (!rule.orOwn)
      return { granted: { account: requireAccess(ctx, caller, { accountId, state, permission }) }, state };
    if (isProgram(caller))
      return {
        granted: { account: requireAccess(ctx, caller, { accountId, state, permission }), sees: 'all' },
        state,
      };
    const account = requireAccess(ctx, caller, { accountId, state });
    return { granted: { account, sees: account.permissions.has(permission) ? 'all' : 'own' }, state };
  }
  const granted = { accountId };
  if (accountId === null || rule.who !== 'member' || rule.permissionInAccount === undefined)
    return { granted };
  const state = await access.account(accountId);
  requireAccess(ctx, caller, { accountId, state, permission: rule.permissionInAccount });
  return { granted, state };
}

/**
 * The accounts of a caller who may omit the account: the selected one, all those in which staff have the permission, or
 * every account for base role 0.
 */
async function grantScope(
  ctx: Context,
  access: AccessReader,
  caller: Caller,
  { accountId, permission }: { readonly accountId: number | null; readonly permission: Permission },
): Promise<GrantedAccounts> {
  if (accountId !== null) {
    const state = await access.account(accountId);
    requireAccess(ctx, caller, { accountId, state, permission });
    return { granted: { scope: { all: false, accountIds: [accountId] } }, state };
  }
  // A header without a number, such as `null`, is not the same as a missing header.
  if (!caller.member.isPersonnel || ctx.call.header('accountid') !== undefined)
    throw new AppError('account_required');
  // The scopes of a machine of the staff are permissions outside accounts, and apply in all of them.
  const reach = isMachine(caller) ? 'all' : staffReach(ctx.services.roles, caller.member, permission);
  const scope: AccountScope =
    reach === 'all'
      ? await everyAccount(access, caller)
      : { all: false, accountIds: await openedAccounts(ctx, access, caller, [...reach]) };
  return { granted: { scope } };
}

/**
 * Requires the level that staff and the account need, unless the procedure serves to reach it. The session of a recovery has
 * none, and may call only procedures whose rule says so.
 */
function requireLevelFor(
  rule: CallerRule,
  ctx: Context,
  caller: Caller,
  state: AccountState | undefined,
): void {
  const { opensBelowLevel, opensInRecovery } = rule.who === 'member' ? rule : {};
  if (caller.session.recoveryId !== undefined && !opensInRecovery) throw new AppError('enrolment_required');
  if (!opensBelowLevel) requireLevel(ctx, caller, 'atAnyLevel' in rule ? undefined : state);
}

/** Requires a recent verification; the ticket of a recovery is one. */
async function requireFreshness(
  { onlyWithSecondFactor }: Freshness,
  ctx: Context,
  access: AccessReader,
  caller: Caller,
): Promise<void> {
  if (caller.session.recoveryId !== undefined) return;
  await (onlyWithSecondFactor
    ? requireFreshWithFactor(ctx, caller, access)
    : requireFresh(ctx, caller, access));
}

function requireSubscription({ services }: Context, state: AccountState | undefined): void {
  if (!state || !currentSubscription(services, state).active) throw new AppError('subscription_required');
}
