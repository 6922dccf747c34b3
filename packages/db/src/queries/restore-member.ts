import { and, asc, eq, gt, isNull, or, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { StaffTransaction } from './change-staff-status.js';
import { databaseTime } from './database-clock.js';

/** The deleted member to restore. */
interface Restoration {
  memberId: number;
  /** The earliest deletion by staff that staff can undo. Absent if only a member's own deletion can be undone. */
  removedSinceMs?: number;
  nowMs: number;
}

/**
 * Restores a deleted member, and the memberships that ended with them. False if they are not deleted, are due
 * for erasure, or were deleted too long ago.
 */
export async function restoreMember(tx: StaffTransaction, restoration: Restoration): Promise<boolean> {
  const { members, memberships, personnelGrants, affiliates } = tx.tables;
  const { memberId, nowMs } = restoration;
  const rows = await tx.write(
    tx
      .update(members)
      .set({ isDeleted: false, deletedAtMs: null, deletedById: null, erasesAtMs: null, updatedAtMs: nowMs })
      .where(mayComeBack(tx, restoration)),
  );
  if (rows === 0) return false;
  const back = { isDeleted: false, endedWithMember: false, updatedAtMs: nowMs };
  await tx.write(
    tx
      .update(memberships)
      .set(back)
      .where(
        and(
          eq(memberships.memberId, memberId),
          eq(memberships.isDeleted, true),
          eq(memberships.endedWithMember, true),
        ),
      ),
  );
  await tx.write(
    tx
      .update(personnelGrants)
      .set(back)
      .where(
        and(
          eq(personnelGrants.personnelId, memberId),
          eq(personnelGrants.isDeleted, true),
          eq(personnelGrants.endedWithMember, true),
        ),
      ),
  );
  await tx.write(
    tx
      .update(affiliates)
      .set({ active: true, endedWithMember: false, updatedAtMs: nowMs })
      .where(
        and(
          eq(affiliates.memberId, memberId),
          eq(affiliates.active, false),
          eq(affiliates.endedWithMember, true),
        ),
      ),
  );
  return true;
}

/** Whether a member is deleted, and `restoreMember` would restore them. */
export async function isRestorable(db: Database, restoration: Restoration): Promise<boolean> {
  const { members } = db.tables;
  const rows = await db.select({ id: members.id }).from(members).where(mayComeBack(db, restoration));
  return rows.length > 0;
}

function mayComeBack(db: Database, { memberId, removedSinceMs, nowMs }: Restoration): SQL | undefined {
  const { id, isDeleted, deletedAtMs, deletedById, erasesAtMs, erasedAtMs } = db.tables.members;
  const notDue = and(gt(erasesAtMs, nowMs), gt(erasesAtMs, databaseTime(db)));
  // A member whom staff removed does not come back by themselves, even if they had deleted themselves first.
  const mayReturn =
    removedSinceMs === undefined
      ? and(notDue, isNull(deletedById))
      : or(notDue, and(isNull(erasesAtMs), isNull(erasedAtMs), gt(deletedAtMs, removedSinceMs)));
  return and(eq(id, memberId), eq(isDeleted, true), mayReturn);
}

/** The accounts that closed with a member, by ascending id. */
export async function listAccountsClosedWith(db: Database, memberId: number): Promise<number[]> {
  const { id, closedWithMemberId } = db.tables.accounts;
  const rows = await db
    .select({ id })
    .from(db.tables.accounts)
    .where(eq(closedWithMemberId, memberId))
    .orderBy(asc(id));
  return rows.map((row) => row.id);
}
