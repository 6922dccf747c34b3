import { and, eq } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

const ADMIN = 0;
const TURN = 'administrators';

/**
 * The ids of the staff of base role 0. Until the transaction ends nobody else holds them, so that of two who would
 * each leave the other as the last one, the second sees what the first has done. The turn is a row that is really
 * changed, because a cluster notices a conflict only between changes.
 *
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
