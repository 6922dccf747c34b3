import { and, eq, isNull } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/**
 * Says that a partner created an account, for accounts that the replaced system did not mark. False unless the account
 * is that member's own and no partner's yet.
 */
export async function setAccountPartner(
  tx: AccessTransaction,
  {
    accountId,
    ownerId,
    partnerId,
    nowMs,
  }: { accountId: number; ownerId: number; partnerId: number; nowMs: number },
): Promise<boolean> {
  const { accounts } = tx.tables;
  const rows = await tx.write(
    tx
      .update(accounts)
      .set({ createdByPartnerId: partnerId, updatedAtMs: nowMs })
      .where(
        and(eq(accounts.id, accountId), eq(accounts.ownerId, ownerId), isNull(accounts.createdByPartnerId)),
      ),
  );
  return rows === 1;
}
