import { AppError, randomId } from '@gatehouse/auth-core';
import { type AccessTransaction, lockAdministrators } from '@gatehouse/db';

/**
 * Refuses what would leave no staff of base role 0. To be asked before such a change, in its transaction: nobody else
 * makes one until that ends.
 * @throws {AppError} `last_administrator`
 */
export async function requireOtherAdministrator(tx: AccessTransaction, memberId: number): Promise<void> {
  const administrators = await lockAdministrators(tx, randomId());
  const others = administrators.filter((id) => id !== memberId);
  if (others.length === 0 && administrators.length > 0) throw new AppError('last_administrator');
}
