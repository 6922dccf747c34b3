import { and, asc, eq, isNull, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { lockAccountRows } from '../access/lock-account-rows.js';

/**
 * Locks the accounts that only an unproven member has owned, before the member's own row is locked. A member whose owner
 * is proven has none.
 * @returns their ids, for `takeMemberOver`
 */
export async function lockPlantedAccounts(tx: Database, memberId: number): Promise<readonly number[]> {
  const { members } = tx.tables;
  const [member] = await tx
    .select({ ownerProvenAtMs: members.ownerProvenAtMs })
    .from(members)
    .where(eq(members.id, memberId));
  if (member === undefined || member.ownerProvenAtMs !== null) return [];
  const accountIds = await listPlantedAccountIds(tx, memberId);
  await lockAccountRows(tx, accountIds, 'exclusive');
  return accountIds;
}

/** The accounts that a member owns and opened, closed ones too: whoever is in them was let in by their owner. */
export async function listPlantedAccountIds(tx: Database, memberId: number): Promise<number[]> {
  const { id, ownerId, openedById, erasedAtMs } = tx.tables.accounts;
  const rows = await tx
    .select({ id })
    .from(tx.tables.accounts)
    .where(and(eq(ownerId, memberId), or(isNull(openedById), eq(openedById, memberId)), isNull(erasedAtMs)))
    .orderBy(asc(id));
  return rows.map((row) => row.id);
}
