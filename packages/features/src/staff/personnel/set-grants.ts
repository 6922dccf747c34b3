import {
  listGrantedAccountIds,
  removePersonnelGrant,
  type StaffTransaction,
  setPersonnelGrant,
} from '@gatehouse/db';
import { requireAccounts } from './require-accounts.js';

/**
 * Sets the grants of a member of staff to exactly the given accounts, or only switches the present ones.
 * @throws {AppError} `invalid_input` naming the accounts that do not exist
 */
export async function setGrants(
  tx: StaffTransaction,
  grants: {
    personnelId: number;
    accountIds?: readonly number[] | undefined;
    /** Accounts whose grants stay as they are, given or not: the caller's session does not open them. */
    kept?: readonly number[];
    isActive: boolean;
    nowMs: number;
  },
): Promise<void> {
  const { personnelId, accountIds = [], kept = [], isActive, nowMs } = grants;
  const present = await listGrantedAccountIds(tx, personnelId);
  const wanted = new Set(grants.accountIds ?? present);
  await requireAccounts(tx, accountIds);
  for (const accountId of present) {
    if (!wanted.has(accountId) && !kept.includes(accountId))
      await removePersonnelGrant(tx, { personnelId, accountId, nowMs });
  }
  for (const accountId of wanted) {
    await setPersonnelGrant(tx, { personnelId, accountId, active: isActive, nowMs });
  }
}
