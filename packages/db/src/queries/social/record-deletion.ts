import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

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
