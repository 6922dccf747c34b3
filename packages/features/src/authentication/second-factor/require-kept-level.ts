import { AppError } from '@gatehouse/auth-core';
import { type Database, findAccountStates } from '@gatehouse/db';
import type { Caller } from '../../core/app/caller.js';
import type { Context } from '../../core/app/context.js';
import { levelAskedOfMember } from '../../core/app/level.js';
import { type FactorRemoval, levelIn } from './require-removable.js';

/**
 * Requires that the factors a member keeps reach the level that a policy asks of them, unless the removed one did not
 * raise it.
 * @throws {AppError} `factor_required`
 */
export async function requireKeptLevel(
  { services }: Context,
  tx: Database,
  { member }: Caller,
  { before, after }: Pick<FactorRemoval, 'before' | 'after'>,
): Promise<void> {
  const kept = levelIn(services, after);
  if (kept === levelIn(services, before)) return;
  const reader = { knownAccounts: (ids: readonly number[]) => findAccountStates(tx, ids) };
  const asked = await levelAskedOfMember(services, reader, member);
  if (asked !== undefined && kept < asked.level) throw new AppError('factor_required');
}
