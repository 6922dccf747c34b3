import { and, asc, eq, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { AccessTransaction } from '../access/access-transaction.js';

/**
 * Restores a member who deleted themselves, and what ended with them. False when they did not, or are due for
 * erasure.
 */
export async function restoreMember(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<boolean> {
  const { members, memberships } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ isDeleted: false, deletedAtMs: null, erasesAtMs: null, updatedAtMs: nowMs })
      .where(and(eq(members.id, memberId), eq(members.isDeleted, true), gt(members.erasesAtMs, nowMs))),
  );
  if (rows === 0) return false;
  await tx.write(
    tx
      .update(memberships)
      .set({ isDeleted: false, endedWithMember: false, updatedAtMs: nowMs })
      .where(
        and(
          eq(memberships.memberId, memberId),
          eq(memberships.isDeleted, true),
          eq(memberships.endedWithMember, true),
        ),
      ),
  );
  return true;
}

/** The accounts closed along with a member, by ascending id. */
export async function listAccountsClosedWith(db: Database, memberId: number): Promise<number[]> {
  const { id, closedWithMemberId } = db.tables.accounts;
  const rows = await db
    .select({ id })
    .from(db.tables.accounts)
    .where(eq(closedWithMemberId, memberId))
    .orderBy(asc(id));
  return rows.map((row) => row.id);
}
