import { isDeepStrictEqual } from 'node:util';
import {
  AppError,
  decideAccess,
  isRootStaff,
  type Permission,
  STAFF_PERMISSIONS,
  type StaffPermission,
  staffReach,
} from '@gatehouse/auth-core';
import type { ActingFacts } from '@gatehouse/http/server/http-call';
import { accountIdFrom } from '@gatehouse/http/server/request-headers';
import type { Freshness, Rule } from '@gatehouse/http/trpc/procedure-rule';
import type { AccessReader } from '../access/access-reader.js';
import { type Context, t } from '../context.js';
import { currentSubscription } from '../current-subscription.js';
import {
  type AccountScope,
  everyAccount,
  openedAccounts,
  type ReachedAccount,
  reachAccount,
} from './account-access.js';
import {
  type Caller,
  identifyBearer,
  identifyCaller,
  requireCookieOrigin,
  requireInPerson,
} from './caller.js';
import { FRESH, FRESH_WITH_FACTOR, requireFresh, requireFreshWithFactor } from './freshness.js';
import { type Judge, judgeFirst } from './guarded.js';
import { requireLevel } from './level.js';
import { identifyByAuthToken, identifyPartner } from './service-callers.js';

/** Open to anyone. Its procedures are rate limited and do not reveal who exists. */
export const publicProcedure = t.procedure.meta({ rule: { who: 'anyone' } }).use(({ ctx, type, next }) => {
  if (type !== 'query') requireCookieOrigin(ctx);
  return next();
});

/** A read is not checked again if its statements were sent this soon after the first check. */
const VERDICT_LASTS_MS = 100;

/** How often a read is repeated because the caller's access changed meanwhile. */
const READS = 3;

/**
 * A procedure with a guard. The guard runs before the body is read, so that unauthenticated calls cost
 * nothing, and again once it has arrived; the second result counts. A write begins with a third check on
 * locked rows (`changeDecided`). A slow read is checked again before its answer, and repeated if the caller's
 * access changed.
 */
function guarded<Extra extends object>(rule: Rule, judge: Judge<Extra>) {
  return t.procedure.meta({ rule }).use(async ({ ctx, type, path, getRawInput, next }) => {
    const { access } = ctx.services;
    let extra = await judgeFirst(ctx, judge, path);
    if (type !== 'query') requireCookieOrigin(ctx);
    if (ctx.call.facts.acting !== undefined) requireOpenToActors(ctx.call.facts.acting, rule, type);
    if (ctx.call.hasBody) {
      // The parser reports the error.
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

/** Rules whose callers have sessions. */
type CallerRule = Extract<Rule, { readonly who: 'bearer' | 'member' | 'account' | 'staff' | 'root' }>;

/**
 * What a guard asks of the session, after the right itself: the level that staff need, unless the procedure is for
 * getting it, and a recent verification if the rule asks for one. The session of a recovery opens what its rule says, and
 * there the ticket counts as that verification.
 */
function withLevel<Extra extends { readonly caller: Caller }>(
  rule: CallerRule,
  judge: Judge<Extra>,
): Judge<Extra> {
  const fresh = 'fresh' in rule ? rule.fresh : undefined;
  const opensBelowLevel = rule.who === 'member' && rule.opensBelowLevel === true;
  const opensInRecovery = rule.who === 'member' && rule.opensInRecovery === true;
  return async (ctx, access) => {
    const extra = await judge(ctx, access);
    const { caller } = extra;
    if (!opensBelowLevel) requireLevel(ctx, caller);
    if (caller.session.recoveryId !== undefined) {
      if (!opensInRecovery) throw new AppError('enrolment_required');
    } else if (fresh?.onlyWithSecondFactor) await requireFreshWithFactor(ctx, caller, access);
    else if (fresh !== undefined) await requireFresh(ctx, caller, access);
    return extra;
  };
}

function guardedCaller<Extra extends { readonly caller: Caller }>(rule: CallerRule, judge: Judge<Extra>) {
  return guarded(rule, withLevel(rule, judge));
}

/**
 * What staff may call who act for a member: nothing as staff, nothing that the member has to do themselves, and in a
 * read-only session nothing that changes anything but to sign out.
 * @throws {AppError} `read_only`, `permission_denied`
 */
function requireOpenToActors({ isReadOnly }: ActingFacts, rule: Rule, type: string): void {
  const signsOut = rule.who === 'member' && rule.signsOut === true;
  if (type !== 'query' && isReadOnly && !signsOut) throw new AppError('read_only');
  const isOfStaff = rule.who === 'staff' || rule.who === 'root';
  if (isOfStaff || (rule.who === 'member' && rule.byThemselves)) throw new AppError('permission_denied');
}

interface MemberCall {
  readonly caller: Caller;
  /** The selected account; nobody has looked at it yet. */
  readonly accountId: number | null;
}

async function judgeMember(ctx: Context, access: AccessReader): Promise<MemberCall> {
  const caller = await identifyCaller(ctx, access);
  return { caller, accountId: accountIdFrom(ctx.call.header('accountid')) };
}

async function judgeInPerson(ctx: Context, access: AccessReader): Promise<MemberCall> {
  const judged = await judgeMember(ctx, access);
  requireInPerson(judged.caller);
  return judged;
}

async function judgeConnecting(ctx: Context, access: AccessReader): Promise<MemberCall> {
  const judged = await judgeInPerson(ctx, access);
  const { caller, accountId } = judged;
  if (accountId !== null)
    await reachAccount(ctx, caller, accountId, { access, permission: 'social.connect' });
  return judged;
}

function judgeInPersonAccount(
  permission: Permission,
  how: { readonly atAnyLevel?: true } = {},
): Judge<{ caller: Caller; account: ReachedAccount }> {
  return async (ctx, access) => {
    const caller = await identifyCaller(ctx, access);
    const account = await permittedAccount(ctx, access, caller, permission, how);
    requireInPerson(caller);
    return { caller, account };
  };
}

/** Requires a Scheme B token, as the replaced system's health check did. */
export const bearerProcedure = guardedCaller({ who: 'bearer' }, async (ctx, access) => ({
  caller: await identifyBearer(ctx, access),
}));

/** Requires a signed-in member. A malformed `Accountid` is refused even if no account is needed. */
export const memberProcedure = guardedCaller({ who: 'member' }, judgeMember);

/** `memberProcedure` that tells who is signed in, also in a session of too low a level. */
export const aboutMeProcedure = guardedCaller(
  { who: 'member', opensBelowLevel: true, opensInRecovery: true },
  judgeMember,
);

/** `memberProcedure` for what stays possible in a read-only session and changes nothing but the session. */
export const ownSessionProcedure = guardedCaller({ who: 'member', signsOut: true }, judgeMember);

/** `ownSessionProcedure` for signing out, which a session of too low a level opens too. */
export const signOutProcedure = guardedCaller(
  { who: 'member', signsOut: true, opensBelowLevel: true, opensInRecovery: true },
  judgeMember,
);

/** `memberProcedure` for what nobody does for a member: its effect would outlive an impersonation. */
export const notForOthersProcedure = guardedCaller({ who: 'member', byThemselves: true }, judgeMember);

/**
 * Requires a member who signed in without a partner. A session begun by a partner is refused: the partner
 * knows its token, so it must not decide in the member's place.
 */
export const inPersonProcedure = guardedCaller({ who: 'member', inPerson: true }, judgeInPerson);

/** `freshProcedure` for adding a connection. With an account selected, it needs `social.connect` there. */
export const freshConnectionProcedure = guardedCaller(
  { who: 'member', inPerson: true, permissionInAccount: 'social.connect', fresh: FRESH },
  judgeConnecting,
);

/** The same for removing one, where only callers who sign in in two steps must have verified who they are. */
export const twoStepFreshConnectionProcedure = guardedCaller(
  { who: 'member', inPerson: true, permissionInAccount: 'social.connect', fresh: FRESH_WITH_FACTOR },
  judgeConnecting,
);

/**
 * `inPersonProcedure` for adding factors and verifying, which a session of too low a level and that of a recovery open
 * too.
 */
export const factorProcedure = guardedCaller(
  { who: 'member', inPerson: true, opensBelowLevel: true, opensInRecovery: true },
  judgeInPerson,
);

/** `factorProcedure` for changing a factor, which the session of a recovery does not open. */
export const ownFactorProcedure = guardedCaller(
  { who: 'member', inPerson: true, opensBelowLevel: true },
  judgeInPerson,
);

function freshFactorGuard(more: { readonly opensInRecovery?: true } = {}) {
  const rule = { who: 'member', inPerson: true, opensBelowLevel: true, fresh: FRESH, ...more } as const;
  return guardedCaller(rule, judgeInPerson);
}

/** `ownFactorProcedure` for a member who verified who they are within ten minutes. */
export const freshFactorProcedure = freshFactorGuard();

/** `freshFactorProcedure` for adding a factor, also with the ticket of a recovery that is open. */
export const addingFactorProcedure = freshFactorGuard({ opensInRecovery: true });

/** `inPersonProcedure` for a member who verified who they are within ten minutes. */
export const freshProcedure = guardedCaller({ who: 'member', inPerson: true, fresh: FRESH }, judgeInPerson);

/** Requires the token of an active partner, obtained with a live secret. */
export const partnerProcedure = guarded({ who: 'partner' }, async (ctx, access) => ({
  partner: await identifyPartner(ctx, access),
}));

/** Requires a signed-in member, an account they may act in, and the permission in it. */
export function accountProcedure(permission: Permission) {
  return guardedCaller({ who: 'account', permission, staffWithoutAccount: false }, async (ctx, access) => {
    const caller = await identifyCaller(ctx, access);
    return { caller, account: await permittedAccount(ctx, access, caller, permission) };
  });
}

/** `accountProcedure` for a member who signed in without a partner. */
export function inPersonAccountProcedure(permission: Permission) {
  const rule = { who: 'account', permission, staffWithoutAccount: false, inPerson: true } as const;
  return guardedCaller(rule, judgeInPersonAccount(permission));
}

/** `inPersonAccountProcedure` for leaving an account, which needs no session of the level that the account asks for. */
export const leavingProcedure = guardedCaller(
  {
    who: 'account',
    permission: 'account.read',
    staffWithoutAccount: false,
    inPerson: true,
    atAnyLevel: true,
  },
  judgeInPersonAccount('account.read', { atAnyLevel: true }),
);

/** `inPersonAccountProcedure` for a member who verified who they are within ten minutes. */
export function freshAccountProcedure(permission: Permission) {
  const rule = {
    who: 'account',
    permission,
    staffWithoutAccount: false,
    inPerson: true,
    fresh: FRESH,
  } as const;
  return guardedCaller(rule, judgeInPersonAccount(permission));
}

/** Requires a staff member, an account they may act in, and the permission in it. */
export function staffAccountProcedure(permission: Permission) {
  const rule = { who: 'account', permission, staffWithoutAccount: false, staffOnly: true } as const;
  return guardedCaller(rule, async (ctx, access) => {
    const caller = await identifyStaff(ctx, access, undefined);
    return { caller, account: await permittedAccount(ctx, access, caller, permission) };
  });
}

/** Requires the primary owner of the account, signed in without a partner and recently verified. */
export const freshOwnerProcedure = guardedCaller(
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
    return { caller, account };
  },
);

/**
 * `accountProcedure` in an account with an active subscription: the guard for a product's features.
 * @throws {AppError} `subscription_required`, after every other refusal
 */
export function entitled(permission: Permission) {
  const rule = { who: 'account', permission, staffWithoutAccount: false, entitled: true } as const;
  return guardedCaller(rule, async (ctx, access) => {
    const caller = await identifyCaller(ctx, access);
    const account = await permittedAccount(ctx, access, caller, permission);
    const state = await access.account(account.id);
    if (!state || !currentSubscription(ctx.services, state).active)
      throw new AppError('subscription_required');
    return { caller, account };
  });
}

/**
 * Requires a signed-in member and an account they may act in. `sees` is whether they see everything there,
 * which needs the permission, or only their own.
 */
export function accountOrOwnProcedure(permission: Permission) {
  const rule = { who: 'account', permission, staffWithoutAccount: false, orOwn: true } as const;
  return guardedCaller(rule, async (ctx, access) => {
    const caller = await identifyCaller(ctx, access);
    const account = await permittedAccount(ctx, access, caller, undefined);
    const sees = account.permissions.has(permission) ? 'all' : 'own';
    return { caller, account, sees };
  });
}

/**
 * `accountProcedure` in which staff may omit the account. Base role 0 then sees all accounts, other staff only
 * the granted ones.
 */
export function scopedProcedure(permission: Permission) {
  return guardedCaller({ who: 'account', permission, staffWithoutAccount: true }, async (ctx, access) => {
    const caller = await identifyCaller(ctx, access);
    return { caller, scope: await accountScope(ctx, access, caller, permission) };
  });
}

/** What a guard requires besides the permission: a recent verification of all callers, or of those who sign in in two steps. */
interface GuardOptions {
  readonly fresh?: Freshness;
}

/** Requires a staff member, with the staff permission if one is named. */
export function staffProcedure(permission?: StaffPermission, options: GuardOptions = {}) {
  const rule = { who: 'staff', ...(permission ? { permission } : {}), ...options } as const;
  return guardedCaller(rule, async (ctx, access) => {
    const caller = await identifyStaff(ctx, access, permission);
    return { caller, accountId: accountIdFrom(ctx.call.header('accountid')) };
  });
}

/** The guard of a `staffScopedProcedure`, and of a `staffProcedure` with a permission, for what another one does. */
export function judgeByStaffRule(
  permission: Permission | StaffPermission,
): Judge<{ caller: Caller; scope: AccountScope }> {
  return withLevel({ who: 'staff', permission }, judgeInAccounts(permission));
}

function judgeInAccounts(
  permission: Permission | StaffPermission,
): Judge<{ caller: Caller; scope: AccountScope }> {
  return async (ctx, access) => {
    const isForStaff = isStaffPermission(permission);
    const caller = await identifyStaff(ctx, access, isForStaff ? permission : undefined);
    const scope = await accountScope(ctx, access, caller, isForStaff ? 'account.read' : permission);
    return { caller, scope };
  };
}

/**
 * Requires a staff member, and adds their accounts: those in which they have the permission or, for a staff
 * permission, all they reach. A selected account limits this to one.
 */
export function staffScopedProcedure(permission: Permission | StaffPermission, options: GuardOptions = {}) {
  const rule = { who: 'staff', permission, inAccounts: true, ...options } as const;
  return guardedCaller(rule, judgeInAccounts(permission));
}

function rootGuard(options: GuardOptions = {}) {
  return guardedCaller({ who: 'root', ...options }, async (ctx, access) => {
    const caller = await identifyStaff(ctx, access, undefined);
    if (!isRootStaff(ctx.services.roles, caller.member)) throw new AppError('permission_denied');
    return { caller, accountId: accountIdFrom(ctx.call.header('accountid')) };
  });
}

/** `staffScopedProcedure` for staff who verified who they are within ten minutes. */
export function freshStaffScopedProcedure(permission: Permission | StaffPermission) {
  const rule = { who: 'staff', permission, inAccounts: true, fresh: FRESH } as const;
  return guardedCaller(rule, judgeInAccounts(permission));
}

/** Requires a staff member of base role 0. */
export const rootProcedure = rootGuard();

/** `rootProcedure`; callers who sign in in two steps must have verified who they are within ten minutes. */
export const twoStepFreshRootProcedure = rootGuard({ fresh: FRESH_WITH_FACTOR });

/** `rootProcedure` for staff who verified who they are within ten minutes. */
export const freshRootProcedure = rootGuard({ fresh: FRESH });

/** Requires the auth_token of a live staff member and nothing else. Reads the database only. */
export const authTokenProcedure = t.procedure
  .meta({ rule: { who: 'authToken' } })
  .use(async ({ ctx, next }) => next({ ctx: { staff: await identifyByAuthToken(ctx) } }));

/** A partner's sign-on never grants staff access, because the member may have become staff since. */
async function identifyStaff(
  ctx: Context,
  access: AccessReader,
  permission: StaffPermission | undefined,
): Promise<Caller> {
  const caller = await identifyCaller(ctx, access);
  const { reason } = decideAccess(ctx.services.roles, caller.member, { staff: { permission } });
  if (reason !== undefined || caller.session.partnerId !== undefined) throw new AppError('permission_denied');
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
  if (reach === 'all') return everyAccount(access, caller);
  return { all: false, accountIds: await openedAccounts(ctx, access, caller, [...reach]) };
}

async function permittedAccount(
  ctx: Context,
  access: AccessReader,
  caller: Caller,
  permission: Permission | undefined,
  how: { readonly atAnyLevel?: true } = {},
): Promise<ReachedAccount> {
  const accountId = accountIdFrom(ctx.call.header('accountid'));
  if (accountId === null) throw new AppError('account_required');
  return reachAccount(ctx, caller, accountId, { access, permission, ...how });
}
