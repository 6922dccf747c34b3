import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

const ADMIN = 0;
const TURN = 'administrators';

/**
 * Locks the staff of base role 0 until the transaction ends, and returns their ids. Of two changes that would
 * each leave the other as the last one, the second sees the first. The lock is a row that really changes,
 * because a cluster only notices conflicts between changes.
 * @param turn a text nobody else writes, such as a random id
 */
export async function lockAdministrators(tx: AccessTransaction, turn: string): Promise<number[]> {
  const { leases, members } = tx.tables;
  const take = () => tx.write(tx.update(leases).set({ token: turn }).where(eq(leases.name, TURN)));
  if ((await take()) === 0) {
    await tx.insertOnce(leases, { name: TURN, token: turn, leaseUntilMs: 0, dueAtMs: 0 });
    await take();
  }
  const rows = await tx
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.isPersonnel, true), eq(members.roleType, ADMIN), eq(members.isDeleted, false)));
  return rows.map(({ id }) => id);
}
