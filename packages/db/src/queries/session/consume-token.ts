import type { Database } from '../../database.js';

/** Consumes a one-use token; true for exactly one of any number of attempts, on any node. */
export async function consumeToken(
  tx: Database,
  { tokenKey, expiresAtMs }: { tokenKey: string; expiresAtMs: number },
): Promise<boolean> {
  return tx.insertOnce(tx.tables.revocations, { tokenKey, expiresAtMs });
}
