import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  listLiveAccountIds,
  listPersonnelGrants,
  removePersonnelGrant,
  setPersonnelGrant,
} from '@gatehouse/db';

/**
 * Sets the grants of a member of staff to exactly the given accounts.
 * @throws {AppError} `invalid_input` naming the accounts that do not exist
 */
export async function setGrants(
  tx: AccessTransaction,
  grants: { personnelId: number; accountIds: readonly number[]; isActive: boolean; nowMs: number },
): Promise<void> {
  const { personnelId, accountIds, isActive, nowMs } = grants;
  const wanted = new Set(accountIds);
  const live = new Set(await listLiveAccountIds(tx, [...wanted]));
  const issues = accountIds.flatMap((accountId, index) =>
    live.has(accountId) ? [] : [{ path: `accountIds.${index}`, message: 'There is no such account' }],
  );
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  for (const { accountId } of await listPersonnelGrants(tx, personnelId)) {
    if (!wanted.has(accountId)) await removePersonnelGrant(tx, { personnelId, accountId, nowMs });
  }
  for (const accountId of wanted) {
    await setPersonnelGrant(tx, { personnelId, accountId, active: isActive, nowMs });
  }
}
