import { and, eq, isNull } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/**
 * Records that a member's password is one of those that are tried first. False if that was known, or the password is
 * another by now.
 */
export async function recordListedPassword(
  tx: AccessTransaction,
  { memberId, expectedPassword, nowMs }: { memberId: number; expectedPassword: string; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ passwordListedAtMs: nowMs })
      .where(
        and(
          eq(members.id, memberId),
          eq(members.password, expectedPassword),
          isNull(members.passwordListedAtMs),
        ),
      ),
  );
  return rows === 1;
}
