import { and, eq, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Whether a member signed in from this place since a moment. */
export async function isFamiliarOrigin(
  db: Database,
  { memberId, originKey, sinceMs }: { memberId: number; originKey: string; sinceMs: number },
): Promise<boolean> {
  const { loginFamiliarity } = db.tables;
  const rows = await db
    .select({ id: loginFamiliarity.id })
    .from(loginFamiliarity)
    .where(
      and(
        eq(loginFamiliarity.memberId, memberId),
        eq(loginFamiliarity.originKey, originKey),
        gt(loginFamiliarity.lastSuccessAtMs, sinceMs),
      ),
    );
  return rows.length > 0;
}
