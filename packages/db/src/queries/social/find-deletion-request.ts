import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** A provider's request to delete a person's data. */
export interface DeletionRequestRow {
  code: string;
  providerId: number;
  status: 'pending' | 'completed';
  requestedAtMs: number;
  completedAtMs: number | null;
}

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
