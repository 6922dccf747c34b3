import { and, eq, isNotNull } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { isActiveMember } from '../access/is-active-member.js';

/**
 * Locks the member that a person with this address may sign in as, until the transaction ends: live, not
 * staff, with that address confirmed. False if any of this does not hold.
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
          isActiveMember(tx.tables, nowMs),
        ),
      ),
  );
  return rows === 1;
}
