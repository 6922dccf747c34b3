import { and, eq, isNotNull } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { isOpenMember } from '../access/is-open-member.js';

/**
 * Holds, until the transaction ends, a member whom somebody with this address may become: a live one who is not staff
 * and has confirmed that address. False when any of it is not so, or not so any more.
 */
export async function lockJoinableMember(
  tx: Database,
  { memberId, emailKey, nowMs }: { memberId: number; emailKey: string; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ updatedAtMs: nowMs })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.emailKey, emailKey),
          isNotNull(members.emailConfirmedAtMs),
          eq(members.isPersonnel, false),
          isOpenMember(tx.tables),
        ),
      ),
  );
  return rows === 1;
}
