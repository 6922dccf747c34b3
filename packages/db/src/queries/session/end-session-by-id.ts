import { and, eq, isNull } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Ends one session of a member. False when the member has no such open session. */
export async function endSessionById(
  tx: AccessTransaction,
  { memberId, sessionId, nowMs }: { memberId: number; sessionId: number; nowMs: number },
): Promise<boolean> {
  const { sessions } = tx.tables;
  const rows = await tx.write(
    tx
      .update(sessions)
      .set({ endedAtMs: nowMs })
      .where(and(eq(sessions.id, sessionId), eq(sessions.memberId, memberId), isNull(sessions.endedAtMs))),
  );
  return rows === 1;
}
