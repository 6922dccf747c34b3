import { and, eq, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { given, prepareWrite } from '../prepared.js';

const end = prepareWrite<{ holder: string }>((db) => {
  const { loginFailures } = db.tables;
  const { holder, failures } = loginFailures;
  return db
    .update(loginFailures)
    .set({ waitUntilMs: 0, failures: 0 })
    .where(and(eq(holder, given(holder, 'holder')), gt(failures, 0)));
});

/** Resets a member's failures at every address. Returns how many counters there were. */
export function endLoginFailures(db: Database, holder: string): Promise<number> {
  return end(db, { holder });
}
