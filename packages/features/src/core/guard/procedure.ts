import { isDeepStrictEqual } from 'node:util';
import { AppError, type Permission, type StaffPermission } from '@gatehouse/auth-core';
import type { ActingFacts } from '@gatehouse/http/server/http-call';
import type { Freshness, Rule } from '@gatehouse/http/trpc/procedure-rule';
import { type Context, t } from '../context.js';
import { authorizeBy, type TokenRule } from './authorize-by-rule.js';
import { requireCookieOrigin } from './caller.js';
import { preauthorize } from './guarded.js';
import { identifyByAuthToken } from './service-callers.js';

/** A read is not checked again if its statements were sent this soon after the first check. */
const CHECK_LASTS_MS = 100;
/** How often a read is repeated because the caller's access changed meanwhile. */
const READS = 3;

/** Open to anyone. Its procedures are rate limited and do not reveal who exists. */
export const publicProcedure = t.procedure.meta({ rule: { who: 'anyone' } }).use(({ ctx, type, next }) => {
  if (type !== 'query') requireCookieOrigin(ctx);
  return next();
});

/**
 * A procedure with a rule, from which its guard, its documents and its tests follow. The guard runs before the body is
 * read, so that unauthenticated calls cost nothing, and again once it has arrived; the second result counts. A write
 * begins with a third check on locked rows (`change`). A slow read is checked again before its answer, and repeated if the
 * caller's access changed.
 */
export function procedure<const R extends TokenRule>(rule: R) {
  const authorize = authorizeBy(rule);
  return t.procedure.meta({ rule }).use(async ({ ctx, type, path, getRawInput, next }) => {
    const { access } = ctx.services;
    let granted = await preauthorize(ctx, authorize, path);
    if (type !== 'query') requireCookieOrigin(ctx);
    requireOpenToDelegates(ctx, rule, type);
    if (ctx.call.hasBody) {
      // The parser reports the error.
      await getRawInput().catch(() => undefined);
      granted = await authorize(ctx, access);
    }
    for (let read = 1; read <= READS; read += 1) {
      const checkedAtMs = performance.now();
      const result = await next({ ctx: { authorize, ...granted } });
      if (type !== 'query' || performance.now() - checkedAtMs <= CHECK_LASTS_MS) return result;
      const known = granted;
      granted = await authorize(ctx, access);
      if (isDeepStrictEqual(granted, known)) return result;
    }
    throw new AppError('unavailable', { retryAfterSeconds: 1 });
  });
}

/**
 * Whether the guard of a procedure with a rule lets a caller call it now.
 * @throws {AppError} `unauthorized`
 * @throws {DatabaseUnavailableError} if the current state cannot be read
 */
export async function mayCall(ctx: Context, rule: Rule, type: 'query' | 'mutation'): Promise<boolean> {
  if (rule.who === 'anyone') return true;
  if (rule.who === 'authToken') return false;
  return authorizeBy(rule)(ctx, ctx.services.access)
    .then(() => requireOpenToDelegates(ctx, rule, type))
    .then(
      () => true,
      (refusal: unknown) => {
        if (refusal instanceof AppError && refusal.status < 500 && refusal.code !== 'unauthorized')
          return false;
        throw refusal;
      },
    );
}

/** Requires a signed-in member. A malformed `Accountid` is refused even if no account is needed. */
export const memberProcedure = procedure({ who: 'member' });

type AccountRule = Extract<Rule, { readonly who: 'account' }>;

/** Requires a signed-in member, an account they may act in, and the permission in it. */
export function accountProcedure<const Options extends Omit<AccountRule, 'who' | 'permission'> = object>(
  permission: Permission,
  options?: Options,
) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is spread is `Options`, or nothing where that is `object`
  const rule = { who: 'account', permission, ...options } as AccountRule & Options;
  return procedure(rule);
}

/** Requires a staff member, with the permission if one is named. */
export function staffProcedure(permission?: StaffPermission, { fresh }: { readonly fresh?: Freshness } = {}) {
  return procedure({ who: 'staff', ...(permission && { permission }), ...(fresh && { fresh }) });
}

/** Requires the auth_token of a live staff member and nothing else. Reads the database only. */
export const authTokenProcedure = t.procedure
  .meta({ rule: { who: 'authToken' } })
  .use(async ({ ctx, next }) => next({ ctx: { staff: await identifyByAuthToken(ctx) } }));

/**
 * Refuses machines of the staff, and staff who act for a member, procedures that the rule alone would allow.
 * @throws {AppError} `permission_denied`, `read_only`
 */
function requireOpenToDelegates({ call: { facts } }: Context, rule: Rule, type: string): void {
  if (facts.key !== undefined) requireQueryOfStaffMachine(rule, type);
  if (facts.acting !== undefined) requireOpenToActors(facts.acting, rule, type);
}

/**
 * Refuses a machine of the staff everything that changes something.
 * @throws {AppError} `permission_denied`
 */
function requireQueryOfStaffMachine({ who }: Rule, type: string): void {
  if (who === 'staff' && type !== 'query') throw new AppError('permission_denied');
}

/**
 * What staff who act for a member may call: nothing as staff, nothing that the member has to do themselves, and in a read-only
 * session nothing that changes anything except to sign out.
 * @throws {AppError} `read_only`, `permission_denied`
 */
function requireOpenToActors({ isReadOnly }: ActingFacts, rule: Rule, type: string): void {
  const signsOut = rule.who === 'member' && rule.signsOut === true;
  if (type !== 'query' && isReadOnly && !signsOut) throw new AppError('read_only');
  const isOfStaff = rule.who === 'staff' || rule.who === 'root';
  if (isOfStaff || (rule.who === 'member' && rule.byThemselves)) throw new AppError('permission_denied');
}
