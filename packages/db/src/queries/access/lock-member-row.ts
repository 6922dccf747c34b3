import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type LockMode, lockRows } from './lock-rows.js';

/** Holds a member until the transaction ends. Whatever changes what a member may do holds them exclusively first. */
export async function lockMemberRow(tx: Database, memberId: number, mode: LockMode): Promise<void> {
  const { members } = tx.tables;
  await lockRows(tx, members, { column: members.createdAtMs, where: eq(members.id, memberId), mode });
}
