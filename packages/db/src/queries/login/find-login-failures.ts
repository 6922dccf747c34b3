import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { FailureCounter } from './record-login-failure.js';

/** How many failures in a row there are, and until when the next attempt has to wait, in epoch milliseconds. */
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
