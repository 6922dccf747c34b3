import { and, eq, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Resets a member's failures at every address. Returns how many counters there were. */
export async function endLoginFailures(db: Database, holder: string): Promise<number> {
  const { loginFailures } = db.tables;
  return db.write(
    db
      .update(loginFailures)
      .set({ waitUntilMs: 0, failures: 0 })
      .where(and(eq(loginFailures.holder, holder), gt(loginFailures.failures, 0))),
  );
}
