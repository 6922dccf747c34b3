import { and, eq, sql } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isOpenMember } from '../access/is-open-member.js';

/**
 * Notes that a member proved the address they have; false when it is not theirs any more, or they are gone. The first
 * proof keeps its time.
 */
export async function confirmAddress(
  tx: AccessTransaction,
  { memberId, emailKey, nowMs }: { memberId: number; emailKey: string; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        emailConfirmedAtMs: sql`coalesce(${members.emailConfirmedAtMs}, ${nowMs})`,
        updatedAtMs: nowMs,
      })
      .where(and(eq(members.id, memberId), eq(members.emailKey, emailKey), isOpenMember(tx.tables))),
  );
  return rows === 1;
}
