import type { Database } from '@gatehouse/db/database';
import { listRootStaff } from '@gatehouse/db/queries/personnel';
import { listOwnersOfAccount } from '@gatehouse/db/queries/read-accounts';

/** The people who manage the keys and event endpoints of an account, or of the deployment for null, and their addresses. */
export async function managersOf(
  db: Database,
  accountId: number | null,
): Promise<readonly { readonly memberId: number; readonly email: string }[]> {
  if (accountId !== null) return listOwnersOfAccount(db, accountId);
  const staff = await listRootStaff(db);
  return staff.flatMap(({ id, email }) => (email === null ? [] : [{ memberId: id, email }]));
}
