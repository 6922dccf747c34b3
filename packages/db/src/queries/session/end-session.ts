import { eq, sql } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';

/** Ends the session of one token. A token without a session row is revoked until it expires. */
export async function endSession(
  tx: AccessTransaction,
  { tokenKey, expiresAtMs, nowMs }: { tokenKey: string; expiresAtMs: number; nowMs: number },
): Promise<void> {
  const { sessions, revocations } = tx.tables;
  const rows = await tx.write(
    tx
      .update(sessions)
      .set({ endedAtMs: sql`coalesce(${sessions.endedAtMs}, ${nowMs})` })
      .where(eq(sessions.tokenKey, tokenKey)),
  );
  if (rows === 0) await tx.insertOnce(revocations, { tokenKey, expiresAtMs });
}
