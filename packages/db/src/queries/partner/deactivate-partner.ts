import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { databaseTime } from '../access/database-time.js';
import { notEarlier } from '../access/not-earlier.js';

/**
 * Deactivates a partner, and ends its tokens and sessions permanently: all that were issued until now, by the clock of the node or of the
 * database, whichever is ahead. False if it was already deactivated.
 */
export async function deactivatePartner(
  tx: AccessTransaction,
  { partnerId, nowMs }: { partnerId: number; nowMs: number },
): Promise<boolean> {
  const { partners } = tx.tables;
  const rows = await tx.write(
    tx
      .update(partners)
      .set({
        isActive: false,
        tokensValidAfterMs: notEarlier(tx, partners.tokensValidAfterMs, nowMs, databaseTime(tx)),
        tokenDigest: null,
        tokenExpiresAtMs: null,
        updatedAtMs: nowMs,
      })
      .where(and(eq(partners.id, partnerId), eq(partners.isActive, true))),
  );
  return rows === 1;
}
