import { AppError } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  listGrantedAccountIds,
  listLiveAccountIds,
  removePersonnelGrant,
  setPersonnelGrant,
} from '@gatehouse/db';

/**
 * Sets the grants of a member of staff to exactly the given accounts, or only switches the present ones. Closed accounts count,
 * because they may open again.
 * @throws {AppError} `invalid_input` naming the accounts that do not exist
 */
export async function setGrants(
  tx: AccessTransaction,
  grants: {
    personnelId: number;
    accountIds?: readonly number[] | undefined;
    isActive: boolean;
    nowMs: number;
  },
): Promise<void> {
  const { personnelId, accountIds = [], isActive, nowMs } = grants;
  const present = await listGrantedAccountIds(tx, personnelId);
  const wanted = new Set(grants.accountIds ?? present);
  const live = new Set(await listLiveAccountIds(tx, [...accountIds]));
  const issues = accountIds.flatMap((accountId, index) =>
    live.has(accountId) ? [] : [{ path: `accountIds.${index}`, message: 'There is no such account' }],
  );
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  for (const accountId of present) {
    if (!wanted.has(accountId)) await removePersonnelGrant(tx, { personnelId, accountId, nowMs });
  }
  for (const accountId of wanted) {
    await setPersonnelGrant(tx, { personnelId, accountId, active: isActive, nowMs });
  }
}
