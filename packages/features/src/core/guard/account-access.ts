import { AppError, accountReach, decideAccess, isRootStaff, type Permission } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db/queries/find-account-state';
import type { MemberScope } from '@gatehouse/db/queries/member-scope';
import type { Call } from '@gatehouse/http/server/http-call';
import { accountIdFrom } from '@gatehouse/http/server/request-headers';
import type { AccessReader } from '../access/access-reader.js';
import type { Context } from '../context.js';
import type { Caller } from './caller.js';
import { opensTo, requireLevel } from './level.js';

/** The account of a call, and the caller's rights in it. */
export interface ReachedAccount {
  readonly id: number;
  /** The primary owner. */
  readonly ownerId: number;
  readonly access: 'member' | 'grant' | 'all';
  /** The role whose permissions apply. */
  readonly role: number;
  readonly permissions: ReadonlySet<Permission>;
}

/**
 * Requires that the caller may act in an account, with the permission if one is named.
 * @throws {AppError} `account_forbidden` without access, the same whether or not the account exists; `permission_denied`
 */
export function requireAccess(
  ctx: Context,
  { member }: Caller,
  {
    accountId,
    state,
    permission,
  }: {
    readonly accountId: number;
    /** Undefined if the account does not exist. */
    readonly state: AccountState | undefined;
    readonly permission?: Permission | undefined;
  },
): ReachedAccount {
  const decision = decideAccess(ctx.services.roles, member, { accountId, account: state, permission });
  if (state === undefined || decision.access === 'none') throw new AppError('account_forbidden');
  ctx.call.facts.accountId = accountId;
  if (decision.reason !== undefined) throw new AppError(decision.reason);
  const { access, role, permissions } = decision;
  return { id: accountId, ownerId: state.ownerId, access, role, permissions };
}

/**
 * Requires that the caller may act in an account that the guard has not checked, in a session of the level that it requires.
 * @throws {AppError} `account_forbidden`, `permission_denied`, `enrolment_required`, `verification_required`
 */
export async function reachAccount(
  ctx: Context,
  caller: Caller,
  accountId: number,
  {
    permission,
    atAnyLevel = false,
  }: {
    permission?: Permission;
    /** Whether the session's level is irrelevant, for procedures that tell the caller what it needs. */
    atAnyLevel?: boolean;
  } = {},
): Promise<ReachedAccount> {
  const state = await ctx.services.access.account(accountId);
  const account = requireAccess(ctx, caller, { accountId, state, permission });
  if (!atAnyLevel) requireLevel(ctx, caller, state);
  return account;
}

/** The accounts that a list may show: the given ones, or all except those that require a session of a higher level. */
export type AccountScope = MemberScope;

/** The highest level that exists. */
const HIGHEST_LEVEL = 3;

/**
 * Every account in which the caller has a permission, without deleted ones and those that require a session of a higher level;
 * all of them for staff of base role 0.
 */
export async function reachableAccounts(
  ctx: Context,
  caller: Caller,
  permission: Permission,
): Promise<AccountScope> {
  const { access, roles } = ctx.services;
  const reach = accountReach(roles, caller.member, permission);
  if (reach === 'all') return everyAccount(access, caller);
  return { all: false, accountIds: await openedAccounts(ctx, access, caller, [...reach]) };
}

/** The given accounts that exist, are not deleted, and require no session of a higher level than the caller's. */
export async function openedAccounts(
  { services }: Pick<Context, 'services'>,
  access: Pick<AccessReader, 'accounts'>,
  caller: Caller,
  accountIds: readonly number[],
): Promise<readonly number[]> {
  const states = await access.accounts(accountIds);
  return accountIds.filter((id) => {
    const state = states.get(id);
    return state?.isDeleted === false && opensTo(services, caller, state);
  });
}

/** All accounts except those that require a session of a higher level than the caller's. */
export async function everyAccount(access: AccessReader, { session }: Caller): Promise<AccountScope> {
  if (session.level >= HIGHEST_LEVEL) return { all: true };
  const except = await access.accountsAbove(session.level);
  return except.size === 0 ? { all: true } : { all: true, except };
}

/** Whether a scope has an account. */
export function isInScope(scope: MemberScope, accountId: number): boolean {
  return scope.all ? scope.except?.has(accountId) !== true : scope.accountIds.includes(accountId);
}

/** A call as its guard accepted it. Calls of partners, and by a link alone, have no caller. */
type Accepted = Context & {
  readonly caller?: Caller | undefined;
  readonly account?: ReachedAccount | undefined;
};

/**
 * Requires that each account accepts the level of the caller's session. `change` does this for every account that a
 * call changes or depends on. An account that is not the caller's is left to the procedure, which answers as if it did
 * not exist.
 * @throws {AppError} `enrolment_required`, `verification_required`
 */
export async function requireLevelsOf(
  ctx: Accepted,
  access: Pick<AccessReader, 'accounts'>,
  accountIds: readonly number[],
): Promise<void> {
  const { caller, account: reached } = ctx;
  // The guard has checked the account that the call selects.
  const others = [...new Set(accountIds)].filter((id) => id !== reached?.id);
  if (caller === undefined || others.length === 0) return;
  for (const account of (await access.accounts(others)).values()) {
    if (isOf(ctx, caller, account)) requireLevel(ctx, caller, account);
  }
}

/** Whether the caller already knows of an account, open or closed, so that its refusal tells them nothing new. */
function isOf({ services }: Context, { member }: Caller, { id, ownerId }: AccountState): boolean {
  if (isRootStaff(services.roles, member) || ownerId === member.id) return true;
  return member.memberships.has(id) || (member.isPersonnel && member.grants.has(id));
}

/**
 * The account that a call selects by its header. Without the header, a machine means its own account, and an application the one
 * that its token is for.
 * @throws {AppError} `invalid_account` for a malformed header
 */
export function selectedAccountId({ header, facts }: Pick<Call, 'header' | 'facts'>): number | null {
  return accountIdFrom(header('accountid')) ?? facts.key?.accountId ?? facts.agent?.accountId ?? null;
}

/** The account that a call selects, which its guard has checked; undefined without one. */
export async function selectedAccount({ call, services }: Context): Promise<AccountState | undefined> {
  const accountId = selectedAccountId(call);
  return accountId === null ? undefined : services.access.account(accountId);
}
