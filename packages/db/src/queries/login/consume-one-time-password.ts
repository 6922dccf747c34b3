import type { Database } from '../../database.js';
import { isOpen, type OneTimePasswordName } from './is-open.js';

/** Consumes a one-time password. True for exactly one of any number of attempts, on any node. */
export async function consumeOneTimePassword(
  tx: Database,
  password: OneTimePasswordName,
  nowMs: number,
): Promise<boolean> {
  const statement = tx
    .update(tx.tables.oneTimePasswords)
    .set({ usedAtMs: nowMs })
    .where(isOpen(tx.tables, password, nowMs));
  return (await tx.write(statement)) === 1;
}
