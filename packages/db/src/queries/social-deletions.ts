import { and, eq } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { AccessTransaction } from './change-access.js';

/** A provider's request to delete a person's data. */
export type DeletionRequestRow = Pick<
  Tables['deletionRequests']['$inferSelect'],
  'code' | 'providerId' | 'status' | 'requestedAtMs' | 'completedAtMs'
>;

/** The request of a code, for its status page. */
export async function findDeletionRequest(
  db: Database,
  { providerId, code }: { providerId: number; code: string },
): Promise<DeletionRequestRow | undefined> {
  const { deletionRequests } = db.tables;
  const [row] = await db
    .select({
      code: deletionRequests.code,
      providerId: deletionRequests.providerId,
      status: deletionRequests.status,
      requestedAtMs: deletionRequests.requestedAtMs,
      completedAtMs: deletionRequests.completedAtMs,
    })
    .from(deletionRequests)
    .where(and(eq(deletionRequests.code, code), eq(deletionRequests.providerId, providerId)));
  return row;
}

/**
 * Records that a person's data was deleted, and returns the confirmation code. A repeated request gets the code
 * of the first.
 */
export async function recordDeletion(
  tx: Database,
  request: { providerId: number; personKey: string; code: string; nowMs: number },
): Promise<string> {
  const { deletionRequests } = tx.tables;
  const { providerId, personKey, code, nowMs } = request;
  const isNew = await tx.insertOnce(deletionRequests, {
    code,
    providerId,
    providerUserId: personKey,
    status: 'completed',
    requestedAtMs: nowMs,
    completedAtMs: nowMs,
  });
  if (isNew) return code;
  const ofPerson = and(
    eq(deletionRequests.providerId, providerId),
    eq(deletionRequests.providerUserId, personKey),
  );
  await tx.write(tx.update(deletionRequests).set({ completedAtMs: nowMs }).where(ofPerson));
  const [row] = await tx.select({ code: deletionRequests.code }).from(deletionRequests).where(ofPerson);
  return row?.code ?? code;
}

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
