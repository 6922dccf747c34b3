import { and, eq, isNull } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isOfFamily } from '../access/is-of-family.js';
import { findFamilyId } from './find-family-id.js';

/** Ends one session of a member with its whole family. False when the member has no such open session. */
export async function endSessionById(
  tx: AccessTransaction,
  { memberId, sessionId, nowMs }: { memberId: number; sessionId: number; nowMs: number },
): Promise<boolean> {
  const { sessions } = tx.tables;
  const familyId = await findFamilyId(tx, { memberId, sessionId });
  const rows = await tx.write(
    tx
      .update(sessions)
      .set({ endedAtMs: nowMs })
      .where(
        and(eq(sessions.memberId, memberId), isOfFamily(tx.tables, familyId), isNull(sessions.endedAtMs)),
      ),
  );
  return rows > 0;
}
