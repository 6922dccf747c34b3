import { and, inArray, lt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { SLOT_MS, slotOf } from '../slot.js';

const SESSIONS_PER_STATEMENT = 1_000;

/** Records that sessions have just been used. A node whose clock is behind takes no later use back. */
export async function touchSessions(
  db: Database,
  sessionIds: readonly number[],
  nowMs: number,
): Promise<void> {
  const { sessions } = db.tables;
  const ids = [...sessionIds].sort((one, other) => one - other);
  for (let start = 0; start < ids.length; start += SESSIONS_PER_STATEMENT) {
    const chunk = ids.slice(start, start + SESSIONS_PER_STATEMENT);
    await db.write(
      db
        .update(sessions)
        .set({ isCounted: sameSlot(db, nowMs), lastSeenAtMs: nowMs })
        .where(and(inArray(sessions.id, chunk), lt(sessions.lastSeenAtMs, nowMs))),
    );
  }
}

/** What was counted stays counted within its quarter of an hour. */
export function sameSlot({ tables: { sessions } }: Database, nowMs: number) {
  const slotBeganMs = sql.raw(String(slotOf(nowMs) * SLOT_MS));
  return sql<boolean>`case when ${sessions.lastSeenAtMs} >= ${slotBeganMs} then ${sessions.isCounted} else false end`;
}
