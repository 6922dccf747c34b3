import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Revokes every open invitation of a closing account. Returns how many there were. */
export async function revokeInvitations(
  tx: AccessTransaction,
  { accountId, endedById, nowMs }: { accountId: number; endedById: number; nowMs: number },
): Promise<number> {
  const { invitations } = tx.tables;
  return tx.write(
    tx
      .update(invitations)
      .set({ status: 'revoked', endedById, openKey: null, endedAtMs: nowMs, updatedAtMs: nowMs })
      .where(and(eq(invitations.accountId, accountId), eq(invitations.status, 'open'))),
  );
}
