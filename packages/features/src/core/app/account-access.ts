import { AppError, decideAccess, type Permission } from '@gatehouse/auth-core';
import type { AccessReader } from '../access/access-reader.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';
import { askedLevel, isAnyLevelEnough, refusalOfLevel } from './level.js';

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
 * Decides whether the caller may act in an account, with a permission if one is named, in a session of the level that
 * the account asks for.
 * @throws {AppError} `account_forbidden` without access, the same whether or not the account exists;
 * `permission_denied`, `enrolment_required`, `verification_required`
 */
export async function reachAccount(
  ctx: Context,
  caller: Caller,
  accountId: number,
  {
    access = ctx.services.access,
    permission,
    atAnyLevel = false,
  }: {
    access?: AccessReader;
    permission?: Permission | undefined;
    /** Whether the session's level does not matter, for what tells the caller of it. */
    atAnyLevel?: boolean;
  } = {},
): Promise<ReachedAccount> {
  const account = await access.account(accountId);
  const isFree = atAnyLevel || isAnyLevelEnough(caller, account);
  const level = isFree ? undefined : askedLevel(ctx.services, caller.member, caller.session);
  const question =
    level === undefined ? { accountId, account, permission } : { accountId, account, permission, level };
  const decision = decideAccess(ctx.services.roles, caller.member, question);
  if (account === undefined || decision.access === 'none') throw new AppError('account_forbidden');
  ctx.call.facts.accountId = accountId;
  if (decision.reason === 'permission_denied') throw new AppError(decision.reason);
  if (decision.reason !== undefined)
    throw refusalOfLevel(
      ctx.services,
      decision.reason,
      caller,
      Math.max(level?.staff ?? 1, account.requiredLevel),
    );
  const { role, permissions } = decision;
  return { id: accountId, ownerId: account.ownerId, access: decision.access, role, permissions };
}
