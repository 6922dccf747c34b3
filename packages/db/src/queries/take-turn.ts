import { eq } from 'drizzle-orm';
import type { Database } from '../database.js';

/**
 * Lets the transactions that take the same turn run one after the other. The lock is a row that really changes, because a cluster
 * only notices conflicts between changes.
 * @param token a text that nobody else writes, such as a random id
 */
export async function takeTurn(tx: Database, name: string, token: string): Promise<void> {
  const { leases } = tx.tables;
  const take = () => tx.write(tx.update(leases).set({ token }).where(eq(leases.name, name)));
  if ((await take()) > 0) return;
  await tx.insertOnce(leases, { name, token, leaseUntilMs: 0, dueAtMs: 0 });
  await take();
}
