import { AppError, randomId } from '@gatehouse/auth-core';
import { type AccessTransaction, lockAdministrators } from '@gatehouse/db';

/**
 * Refuses a change that would leave no staff of base role 0. Call it before the change, in its transaction:
 * it locks out other such changes until the transaction ends.
 * @throws {AppError} `last_administrator`
 */
export async function requireOtherAdministrator(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  const administrators = await lockAdministrators(tx, { turn: randomId(), nowMs });
  const others = administrators.filter((id) => id !== memberId);
  if (others.length === 0 && administrators.length > 0) throw new AppError('last_administrator');
}
