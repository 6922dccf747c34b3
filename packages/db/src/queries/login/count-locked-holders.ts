import { and, countDistinct, gte } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { startsWith } from '../text/starts-with.js';

/** How many holders of a kind have at least this many failures in a row. Reads every counter of that kind. */
export async function countLockedHolders(
  db: Database,
  { prefix, failures }: { prefix: string; failures: number },
): Promise<number> {
  const { loginFailures } = db.tables;
  const [row] = await db
    .select({ count: countDistinct(loginFailures.holder) })
    .from(loginFailures)
    .where(and(startsWith(loginFailures.holder, prefix), gte(loginFailures.failures, failures)));
  return row?.count ?? 0;
}
