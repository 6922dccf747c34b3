import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isAnswerable } from './answerable.js';

/** Revokes every invitation of a closing account that somebody can accept. Returns how many there were. */
export async function revokeInvitations(
  tx: AccessTransaction,
  { accountId, endedById, nowMs }: { accountId: number; endedById: number; nowMs: number },
): Promise<number> {
  const { invitations } = tx.tables;
  return tx.write(
    tx
      .update(invitations)
      .set({ status: 'revoked', endedById, openKey: null, endedAtMs: nowMs, updatedAtMs: nowMs })
      .where(and(eq(invitations.accountId, accountId), isAnswerable(tx.tables, nowMs))),
  );
}
