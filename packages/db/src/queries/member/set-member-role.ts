import { and, eq } from 'drizzle-orm';
import type { StaffTransaction } from '../access/change-staff-standing.js';
import { isLiveOrLeaving } from '../access/is-leaving.js';
import { NO_BAN } from '../access/no-ban.js';

/** Gives a member who is not banned another base role, and sets their staff status if `isPersonnel` is given. */
export async function setMemberRole(
  tx: StaffTransaction,
  change: { memberId: number; roleType: number; role: string; isPersonnel?: boolean; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const rows = await tx.write(
    tx
      .update(members)
      .set({
        roleType: change.roleType,
        role: change.role,
        updatedAtMs: change.nowMs,
        ...NO_BAN,
        ...(change.isPersonnel === undefined ? {} : { isPersonnel: change.isPersonnel }),
      })
      .where(and(eq(members.id, change.memberId), isLiveOrLeaving(tx.tables))),
  );
  return rows === 1;
}
