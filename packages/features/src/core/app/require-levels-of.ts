import { isRootStaff } from '@gatehouse/auth-core';
import type { AccountState } from '@gatehouse/db';
import type { AccessReader } from '../access/access-reader.js';
import type { ReachedAccount } from './account-access.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';
import { requireLevelOf } from './level.js';

/** A call as its guard accepted it. Calls of partners, and by a link alone, have no caller. */
type Accepted = Context & {
  readonly caller?: Caller | undefined;
  readonly account?: ReachedAccount | undefined;
};

/**
 * Requires that each account accepts the level of the caller's session. `changeDecided` asks this for every account that a
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
  // The guard has asked the account that the call selects.
  const others = [...new Set(accountIds)].filter((id) => id !== reached?.id);
  if (caller === undefined || others.length === 0) return;
  for (const account of (await access.accounts(others)).values()) {
    if (isOf(ctx, caller, account)) requireLevelOf(ctx, caller, account);
  }
}

/** Whether the caller has to do with an account, open or closed, so that its refusal tells them nothing new. */
function isOf({ services }: Context, { member }: Caller, { id, ownerId }: AccountState): boolean {
  if (isRootStaff(services.roles, member) || ownerId === member.id) return true;
  return member.memberships.has(id) || (member.isPersonnel && member.grants.has(id));
}
