import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** When the window of a counter ends, in epoch milliseconds. Undefined for an unused counter. */
export async function findLimitEnd(db: Database, key: string): Promise<number | undefined> {
  const { limits } = db.tables;
  const [row] = await db.select({ endsAtMs: limits.expiresAtMs }).from(limits).where(eq(limits.key, key));
  return row?.endsAtMs ?? undefined;
}
