import { and, eq, isNull } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** The outcome: `unchanged` when it was already so, `refused` when it is not allowed. */
export type AccountPartnerOutcome = 'marked' | 'unchanged' | 'refused';

/**
 * Records that a partner created an account the replaced system did not mark. Refused unless the member owns
 * the account and no other partner created it.
 */
export async function setAccountPartner(
  tx: AccessTransaction,
  mark: { accountId: number; ownerId: number; partnerId: number; nowMs: number },
): Promise<AccountPartnerOutcome> {
  const { accounts } = tx.tables;
  const { accountId, ownerId, partnerId, nowMs } = mark;
  const isOwn = and(eq(accounts.id, accountId), eq(accounts.ownerId, ownerId));
  const rows = await tx.write(
    tx
      .update(accounts)
      .set({ createdByPartnerId: partnerId, updatedAtMs: nowMs })
      .where(and(isOwn, isNull(accounts.createdByPartnerId))),
  );
  if (rows === 1) return 'marked';
  const [account] = await tx.select({ partnerId: accounts.createdByPartnerId }).from(accounts).where(isOwn);
  return account?.partnerId === partnerId ? 'unchanged' : 'refused';
}
