import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { lockRows } from './lock-rows.js';

/**
 * Locks the session of a token until the transaction ends. A token without a session is revoked by inserting a
 * row, which cannot be locked; that writer locks the member instead.
 */
export async function lockToken(tx: Database, tokenKey: string): Promise<void> {
  const { sessions } = tx.tables;
  const where = eq(sessions.tokenKey, tokenKey);
  await lockRows(tx, sessions, { column: sessions.createdAtMs, where, mode: 'share' });
}
