import { and, eq, sql } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { isActiveMember } from '../access/is-active-member.js';

/**
 * Records that a member proved their current address. False if the address or the member is gone. A repeated
 * proof does not change the recorded time.
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
      .where(and(eq(members.id, memberId), eq(members.emailKey, emailKey), isActiveMember(tx.tables, nowMs))),
  );
  return rows === 1;
}
