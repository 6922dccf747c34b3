import { and, eq, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Records that a session is used, unless it was last used before `idleBeforeMs`. */
export async function keepSessionAwake(
  db: Database,
  { sessionId, idleBeforeMs, nowMs }: { sessionId: number; idleBeforeMs: number; nowMs: number },
): Promise<void> {
  const { sessions } = db.tables;
  await db.write(
    db
      .update(sessions)
      .set({ isCounted: false, lastSeenAtMs: nowMs })
      .where(and(eq(sessions.id, sessionId), gt(sessions.lastSeenAtMs, idleBeforeMs))),
  );
}
