import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type LockMode, lockRows } from './lock-rows.js';

/**
 * Locks a member until the transaction ends. Every change of a member's access takes this lock exclusively
 * first.
 */
export async function lockMemberRow(tx: Database, memberId: number, mode: LockMode): Promise<void> {
  const { members } = tx.tables;
  await lockRows(tx, members, { column: members.createdAtMs, where: eq(members.id, memberId), mode });
}
