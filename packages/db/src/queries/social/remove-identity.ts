import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/**
 * Removes a provider's data about a person. If the provider's id is a member's login identifier, an anonymous
 * one replaces it. Does nothing for an unknown person.
 */
export async function removeIdentity(
  tx: AccessTransaction,
  identity: {
    providerId: number;
    providerUserId: string;
    /** The login identifier, and its key, of a member who only has this identity. */
    sid: string;
    sidKey: string;
    anonymousSid: string;
    nowMs: number;
  },
): Promise<void> {
  const { members, socialConnections } = tx.tables;
  const { providerId, providerUserId, sid, sidKey, anonymousSid, nowMs } = identity;
  await tx.write(
    tx
      .delete(socialConnections)
      .where(
        and(
          eq(socialConnections.providerId, providerId),
          eq(socialConnections.providerUserId, providerUserId),
        ),
      ),
  );
  await tx.write(
    tx
      .update(members)
      .set({ sid: anonymousSid, sidKey: anonymousSid, updatedAtMs: nowMs })
      .where(and(eq(members.sidKey, sidKey), eq(members.sid, sid))),
  );
}
