import { AppError } from '@gatehouse/auth-core';
import { type Database, listLiveAccountIds } from '@gatehouse/db';

/**
 * Refuses grants in accounts that do not exist. Closed accounts count, because they may open again.
 * @throws {AppError} `invalid_input` naming them
 */
export async function requireAccounts(tx: Database, accountIds: readonly number[]): Promise<void> {
  const live = new Set(await listLiveAccountIds(tx, [...accountIds]));
  const issues = accountIds.flatMap((accountId, index) =>
    live.has(accountId) ? [] : [{ path: `accountIds.${index}`, message: 'There is no such account' }],
  );
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
}
