import { and, eq, sql } from 'drizzle-orm';
import type { AccessTransaction } from '../access/access-transaction.js';
import { familyOf, isOfFamily } from '../access/is-of-family.js';

/** Ends the session of one token with its whole family. A token without a session row is revoked until it expires. */
export async function endSession(
  tx: AccessTransaction,
  { tokenKey, expiresAtMs, nowMs }: { tokenKey: string; expiresAtMs: number; nowMs: number },
): Promise<void> {
  const { sessions, revocations } = tx.tables;
  const [row] = await tx
    .select({ memberId: sessions.memberId, familyId: familyOf(tx.tables) })
    .from(sessions)
    .where(eq(sessions.tokenKey, tokenKey));
  if (row === undefined) {
    await tx.insertOnce(revocations, { tokenKey, expiresAtMs });
    return;
  }
  await tx.write(
    tx
      .update(sessions)
      .set({ endedAtMs: sql`coalesce(${sessions.endedAtMs}, ${nowMs})` })
      .where(and(eq(sessions.memberId, row.memberId), isOfFamily(tx.tables, row.familyId))),
  );
}
