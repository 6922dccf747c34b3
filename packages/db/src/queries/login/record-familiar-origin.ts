import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Records that a member has just signed in from a place. True if they did before, as far as that is remembered. */
export async function recordFamiliarOrigin(
  tx: Database,
  { memberId, originKey, nowMs }: { memberId: number; originKey: string; nowMs: number },
): Promise<boolean> {
  const { loginFamiliarity } = tx.tables;
  const known = await tx.write(
    tx
      .update(loginFamiliarity)
      .set({ lastSuccessAtMs: nowMs })
      .where(and(eq(loginFamiliarity.memberId, memberId), eq(loginFamiliarity.originKey, originKey))),
  );
  if (known > 0) return true;
  await tx.insertOnce(loginFamiliarity, { memberId, originKey, lastSuccessAtMs: nowMs });
  return false;
}
