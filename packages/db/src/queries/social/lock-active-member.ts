import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { isActiveMember } from '../access/is-active-member.js';

/**
 * Locks a member who is neither deleted nor archived until the transaction ends, so that nobody deletes them
 * while their tokens are written. False when they are, or when all their sessions ended since `sessionEpoch` was
 * read.
 */
export async function lockActiveMember(
  tx: Database,
  { memberId, sessionEpoch, nowMs }: { memberId: number; sessionEpoch?: number; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ updatedAtMs: nowMs })
      .where(
        and(
          eq(members.id, memberId),
          sessionEpoch === undefined ? undefined : eq(members.sessionEpoch, sessionEpoch),
          isActiveMember(tx.tables, nowMs),
        ),
      ),
  );
  return rows === 1;
}
