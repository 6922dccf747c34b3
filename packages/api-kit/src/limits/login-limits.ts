import { sha256Hex } from '@gatehouse/auth-core';
import { type Database, isFamiliarOrigin, noteFamiliarOrigin } from '@gatehouse/db';
import type { Context } from '../context.js';
import { networkOf } from '../network-of.js';
import { type CountedAttempt, countAttempt } from './count-attempt.js';
import type { Limit } from './limit-store.js';

const WINDOW_MS = 15 * 60_000;
/** How long a place a member signed in from stays familiar. */
export const FAMILIAR_MS = 30 * 86_400_000;

/**
 * Counts a login as failed before its password is compared, so that no burst of parallel guesses gets more
 * than its share. A member's failures count together whatever the address or spelling; an address that
 * signed in to that member in the last 30 days counts apart, so that nobody can lock the owner out there.
 *
 * @param login the normalised login name, for members that do not exist
 * @throws {AppError} `rate_limited`
 */
export async function countLoginAttempt(
  ctx: Context,
  { memberId, login }: { memberId: number | undefined; login: string },
): Promise<CountedAttempt> {
  const { LOGIN_FAILURES_PER_ADDRESS: most } = ctx.kit.config;
  const network = networkOf(ctx.call.address);
  const limits: Limit[] = [
    { key: `login:address:${network}`, name: 'login-address', most, windowMs: WINDOW_MS },
    await memberLimit(ctx, memberId, login),
  ];
  return countAttempt(ctx, limits, memberId);
}

/**
 * The bucket of an address that signed in to a member in the last 30 days; empty for every other address. It costs the
 * same look-up for a member that does not exist.
 */
export async function familiarBucket({ kit, call }: Context, memberId: number | undefined): Promise<string> {
  const originKey = originKeyOf(memberId ?? 0, networkOf(call.address));
  const origin = { memberId: memberId ?? 0, originKey, sinceMs: kit.now() - FAMILIAR_MS };
  const isFamiliar = await isFamiliarOrigin(kit.db, origin);
  return isFamiliar && memberId !== undefined ? originKey : '';
}

async function memberLimit(ctx: Context, memberId: number | undefined, login: string): Promise<Limit> {
  const bucket = await familiarBucket(ctx, memberId);
  const rest = { name: 'login', most: ctx.kit.config.LOGIN_FAILURES_PER_MEMBER, windowMs: WINDOW_MS };
  if (memberId === undefined) return { key: `login:unknown:${sha256Hex(login)}`, ...rest };
  return { key: `login:member:${memberId}:${bucket}`, ...rest };
}

/** Remembers that a member signed in from the address of this call; part of the transaction that makes the session. */
export async function rememberOrigin(ctx: Context, tx: Database, memberId: number): Promise<void> {
  const originKey = originKeyOf(memberId, networkOf(ctx.call.address));
  await noteFamiliarOrigin(tx, { memberId, originKey, nowMs: ctx.kit.now() });
}

function originKeyOf(memberId: number, network: string): string {
  return sha256Hex(`${memberId} ${network}`);
}
