import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** How often all sessions of a member ended, and when that was the last time. Login tokens that are made now carry both. */
export async function findSessionsEnd(
  db: Database,
  memberId: number,
): Promise<{ sessionEpoch: number; tokensValidAfterMs: number } | undefined> {
  const { id, sessionEpoch, tokensValidAfterMs } = db.tables.members;
  const [row] = await db
    .select({ sessionEpoch, tokensValidAfterMs })
    .from(db.tables.members)
    .where(eq(id, memberId));
  return row;
}
