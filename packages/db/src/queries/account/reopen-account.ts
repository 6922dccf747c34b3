import { and, eq, gt } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { databaseTime } from '../access/database-time.js';

/** Reopens a closed account for its members. False when it is not closed, or its content is due for erasure. */
export async function reopenAccount(
  tx: AccessTransaction,
  { accountId, nowMs }: { accountId: number; nowMs: number },
): Promise<boolean> {
  const { accounts } = tx.tables;
  const rows = await tx.write(
    tx
      .update(accounts)
      .set({
        isDeleted: false,
        deletedAtMs: null,
        closedById: null,
        closedWithMemberId: null,
        erasesAtMs: null,
        erasureToldAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(
        and(
          eq(accounts.id, accountId),
          eq(accounts.isDeleted, true),
          gt(accounts.erasesAtMs, nowMs),
          gt(accounts.erasesAtMs, databaseTime(tx)),
        ),
      ),
  );
  return rows === 1;
}
