import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { lockRows } from './lock-rows.js';

/**
 * Holds the session of a token until the transaction ends. A token without one is revoked by a new row, which nothing
 * here can hold: whoever writes it holds the member.
 */
export async function lockToken(tx: Database, tokenKey: string): Promise<void> {
  const { sessions } = tx.tables;
  const where = eq(sessions.tokenKey, tokenKey);
  await lockRows(tx, sessions, { column: sessions.createdAtMs, where, mode: 'share' });
}
