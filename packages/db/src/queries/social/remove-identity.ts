import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/**
 * Removes what a provider told about a person: the connection, and their id where it is the login identifier of a
 * member, which becomes one that says nothing. Does nothing for a person we do not know.
 */
export async function removeIdentity(
  tx: AccessTransaction,
  identity: {
    providerId: number;
    providerUserId: string;
    /** The identifier and its key, as a member of that identity alone has them. */
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
