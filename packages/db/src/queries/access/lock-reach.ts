import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { lockRows } from './lock-rows.js';

/** Locks the memberships, grants and consents of a member until the transaction ends. */
export async function lockReach(tx: Database, memberId: number): Promise<void> {
  const { memberships, personnelGrants, partnerMembers } = tx.tables;
  const mode = 'share';
  await lockRows(tx, memberships, {
    column: memberships.createdAtMs,
    where: eq(memberships.memberId, memberId),
    mode,
  });
  await lockRows(tx, personnelGrants, {
    column: personnelGrants.createdAtMs,
    where: eq(personnelGrants.personnelId, memberId),
    mode,
  });
  await lockRows(tx, partnerMembers, {
    column: partnerMembers.linkedAtMs,
    where: eq(partnerMembers.memberId, memberId),
    mode,
  });
}
