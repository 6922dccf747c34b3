import { and, eq } from 'drizzle-orm';
import type { StaffTransaction } from '../access/change-staff-standing.js';

/** Makes a member staff, or ends their staff status and records when. */
export async function setPersonnelState(
  tx: StaffTransaction,
  { memberId, isPersonnel, nowMs }: { memberId: number; isPersonnel: boolean; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  await tx.write(
    tx
      .update(members)
      .set({ isPersonnel, personnelEndedAtMs: isPersonnel ? null : nowMs, updatedAtMs: nowMs })
      .where(and(eq(members.id, memberId), eq(members.isDeleted, false))),
  );
}
