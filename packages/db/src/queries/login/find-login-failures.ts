import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { FailureCounter } from './record-login-failure.js';

/** The number of failures in a row, and when the next attempt is allowed, in epoch milliseconds. */
export async function findLoginFailures(
  db: Database,
  { holder, origin }: FailureCounter,
): Promise<{ failures: number; waitUntilMs: number }> {
  const { loginFailures } = db.tables;
  const { failures, waitUntilMs } = loginFailures;
  const [row] = await db
    .select({ failures, waitUntilMs })
    .from(loginFailures)
    .where(and(eq(loginFailures.holder, holder), eq(loginFailures.origin, origin)));
  return row ?? { failures: 0, waitUntilMs: 0 };
}
