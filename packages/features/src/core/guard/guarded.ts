import type { Database } from '@gatehouse/db/database';
import type { AccessReader } from '../access/access-reader.js';
import { createLockedReader } from '../access/create-locked-reader.js';
import type { Context } from '../context.js';
import { type AccountScope, requireLevelsOf, selectedAccountId } from './account-access.js';

/**
 * A guard's single check, used every time: on the access directory before and after the body, and on locked rows
 * before a write.
 * @throws {AppError} a refusal
 */
export type Authorize<Extra> = (ctx: Context, access: AccessReader) => Promise<Extra>;

/** The context of an accepted call, and a function that runs the guard again. */
export type Guarded<Extra> = Context & Extra & { readonly authorize: Authorize<Extra> };

/** The subject of a change, without the caller. */
interface LockedSubjects {
  /** Locked exclusively. */
  readonly members?: readonly number[];
  /** Locked exclusively. */
  readonly accounts?: readonly number[];
  /** Locked in share mode, because a decision depends on them. */
  readonly sharedAccounts?: readonly number[];
  /** Locked in share mode, because a decision depends on them. */
  readonly sharedMembers?: readonly number[];
  /** Whether these accounts may refuse the session for its level: for joining, declining and leaving. */
  readonly atAnyLevel?: boolean;
}

/** A call whose guard is to run again on locked rows. */
export type NotAuthorized<Extra> = Context & {
  readonly authorize: Authorize<Extra>;
  readonly scope?: AccountScope;
};

/**
 * Runs a call's guard again, first in the call's transaction, on locked rows. Returns the caller and their
 * rights at that moment. Every account among the subjects must accept the level of the caller's session.
 * All code locks in one order: accounts, members by id, then their other rows.
 * @throws {AppError} a refusal
 */
export async function authorizeOnLockedRows<Extra extends object>(
  ctx: NotAuthorized<Extra>,
  tx: Database,
  subjects: LockedSubjects,
): Promise<Guarded<Extra>> {
  const { members = [], accounts = [], sharedAccounts = [], sharedMembers = [], atAnyLevel } = subjects;
  const reader = createLockedReader(tx, ctx.services.now());
  await reader.lockAccounts(accounts, 'exclusive');
  await reader.lockAccounts([...accountsOfGuard(ctx), ...sharedAccounts], 'share');
  const { memberId, acting } = ctx.call.facts;
  const callers = [memberId, acting?.actorId].filter((id) => id !== undefined);
  for (const id of ascending([...members, ...sharedMembers, ...callers])) {
    await reader.lockMember(id, members.includes(id) ? 'exclusive' : 'share');
  }
  const authorized = { ...ctx, ...(await ctx.authorize(ctx, reader)) };
  if (!atAnyLevel) await requireLevelsOf(authorized, reader, [...accounts, ...sharedAccounts]);
  return authorized;
}

/** The accounts that the guard read last. */
function accountsOfGuard({ call, scope }: NotAuthorized<object>): readonly number[] {
  const selected = selectedAccountId(call);
  const begunFor = call.facts.acting?.accountId ?? null;
  const named = [selected, begunFor, call.facts.ssoAccountId ?? null].filter((id) => id !== null);
  if (selected !== null || scope === undefined || scope.all) return named;
  return [...named, ...scope.accountIds];
}

function ascending(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

/**
 * The first check of a call. A call with an API key is counted against the limit of the key, and one of an application against
 * that of its grant or of itself. A call of staff who act for a member is written to the audit log before anything else happens,
 * also if it is refused; if it cannot be written, the answer is 503.
 * @param path what is called
 * @throws {AppError} a refusal; `rate_limited` above the limit of the key
 * @throws {DatabaseUnavailableError} when the audit line cannot be written
 */
export async function preauthorize<Extra extends object>(
  ctx: Context,
  authorize: Authorize<Extra>,
  path: string,
): Promise<Extra> {
  try {
    return await authorize(ctx, ctx.services.access);
  } finally {
    const { acting, agent, key } = ctx.call.facts;
    if (key !== undefined) ctx.services.keyUse.count(key);
    if (agent !== undefined) ctx.services.keyUse.countToken(agent);
    if (acting !== undefined) await ctx.services.recordActing(ctx.call, acting, path);
  }
}

/**
 * Runs a call's guard again on the current state: before an action outside the transaction (a program or a
 * provider) begins, and before its answer is sent.
 * @throws {AppError} a refusal
 */
export async function reauthorize<Extra extends object>(
  ctx: Context & { readonly authorize: Authorize<Extra> },
): Promise<Guarded<Extra>> {
  return { ...ctx, ...(await ctx.authorize(ctx, ctx.services.access)) };
}
