import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { prepareRead } from '../prepared.js';
import type { FailureCounter } from './record-login-failure.js';

const prepared = prepareRead(selectLoginFailures);

/** The select of a counter of failures in a row. */
export function selectLoginFailures(db: Database) {
  const { loginFailures } = db.tables;
  const { failures, waitUntilMs } = loginFailures;
  return db
    .select({ failures, waitUntilMs })
    .from(loginFailures)
    .where(
      and(
        eq(loginFailures.holder, sql.placeholder('holder')),
        eq(loginFailures.origin, sql.placeholder('origin')),
      ),
    );
}

/** The number of failures in a row, and when the next attempt is allowed, in epoch milliseconds. */
export async function findLoginFailures(
  db: Database,
  { holder, origin }: FailureCounter,
): Promise<{ failures: number; waitUntilMs: number }> {
  const [row] = await prepared(db, { holder, origin });
  return row ?? { failures: 0, waitUntilMs: 0 };
}
