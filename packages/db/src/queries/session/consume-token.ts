import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Consumes a one-use token; true for exactly one of any number of attempts, on any node. */
export async function consumeToken(
  tx: Database,
  { tokenKey, expiresAtMs }: { tokenKey: string; expiresAtMs: number },
): Promise<boolean> {
  return tx.insertOnce(tx.tables.revocations, { tokenKey, expiresAtMs });
}

/** Whether a one-use token was consumed, while its row is kept. */
export async function isTokenConsumed(db: Database, tokenKey: string): Promise<boolean> {
  const { revocations } = db.tables;
  const rows = await db
    .select({ tokenKey: revocations.tokenKey })
    .from(revocations)
    .where(eq(revocations.tokenKey, tokenKey));
  return rows.length > 0;
}
