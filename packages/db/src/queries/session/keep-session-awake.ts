import { and, eq, gt, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { sameSlot } from './touch-sessions.js';

/** Records that a session is used, unless it was last used before `idleBeforeMs`, or later than this by another clock. */
export async function keepSessionAwake(
  db: Database,
  { sessionId, idleBeforeMs, nowMs }: { sessionId: number; idleBeforeMs: number; nowMs: number },
): Promise<void> {
  const { sessions } = db.tables;
  await db.write(
    db
      .update(sessions)
      .set({ isCounted: sameSlot(db, nowMs), lastSeenAtMs: nowMs })
      .where(
        and(
          eq(sessions.id, sessionId),
          gt(sessions.lastSeenAtMs, idleBeforeMs),
          lt(sessions.lastSeenAtMs, nowMs),
        ),
      ),
  );
}
