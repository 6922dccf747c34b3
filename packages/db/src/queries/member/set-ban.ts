import { and, eq } from 'drizzle-orm';
import type { StaffTransaction } from '../access/change-staff-standing.js';
import { isLiveOrLeaving } from '../access/is-leaving.js';
import { ARCHIVED } from '../archived.js';

/** A stored ban. */
export interface Ban {
  /** The base role that the member keeps, and its label. */
  roleType: number;
  role: string;
  /** Null for a ban without an end. */
  untilMs: number | null;
  reason: string | null;
}

/** Bans a member, or changes the end and reason of a ban. The caller has locked them. */
export async function setBan(
  tx: StaffTransaction,
  { memberId, bannedById, nowMs, ...ban }: Ban & { memberId: number; bannedById: number; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  await tx.write(
    tx
      .update(members)
      .set({
        roleType: ARCHIVED,
        role: ban.role,
        bannedRoleType: ban.roleType,
        bannedUntilMs: ban.untilMs,
        banReason: ban.reason,
        bannedAtMs: nowMs,
        bannedById,
        updatedAtMs: nowMs,
      })
      .where(and(eq(members.id, memberId), isLiveOrLeaving(tx.tables))),
  );
}

/** Gives a banned member another base role, which applies after the ban. The caller has locked them. */
export async function setBannedRole(
  tx: StaffTransaction,
  change: { memberId: number; roleType: number; role: string; untilMs: number | null; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  await tx.write(
    tx
      .update(members)
      .set({
        bannedRoleType: change.roleType,
        role: change.role,
        bannedUntilMs: change.untilMs,
        updatedAtMs: change.nowMs,
      })
      .where(
        and(eq(members.id, change.memberId), eq(members.isDeleted, false), eq(members.roleType, ARCHIVED)),
      ),
  );
}
