import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { FailureCounter } from './record-login-failure.js';

/** Removes a failure whose password was never compared, and the pause it may have started. */
export async function removeLoginFailure(db: Database, { holder, origin }: FailureCounter): Promise<void> {
  const { loginFailures } = db.tables;
  await db.write(
    db
      .update(loginFailures)
      .set({ waitUntilMs: 0, failures: sql`${loginFailures.failures} - 1` })
      .where(
        and(
          eq(loginFailures.holder, holder),
          eq(loginFailures.origin, origin),
          gt(loginFailures.failures, 0),
        ),
      ),
  );
}
