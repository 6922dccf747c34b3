import type { Database } from '../../database.js';
import { isOpen } from './is-open.js';

/** Consumes a one-time password. True for exactly one of any number of attempts, on any node. */
export async function consumeOneTimePassword(tx: Database, id: number, nowMs: number): Promise<boolean> {
  const statement = tx
    .update(tx.tables.oneTimePasswords)
    .set({ usedAtMs: nowMs })
    .where(isOpen(tx.tables, id, nowMs));
  return (await tx.write(statement)) === 1;
}
