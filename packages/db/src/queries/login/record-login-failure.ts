import { and, eq, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The holder of a counter of wrong passwords. */
export interface FailureCounter {
  /** A member, or an unknown login name. At most 80 characters. */
  holder: string;
  /** The familiar address with a separate counter, or empty. */
  origin: string;
}

/** A pause after this many failures in a row, two or more. */
export interface FailureWait {
  failures: number;
  waitMs: number;
}

/**
 * Counts a login attempt as one more failure in a row. False during a pause, or after `most` failures. The
 * database decides, so concurrent attempts cannot exceed the limit.
 */
export async function recordLoginFailure(
  db: Database,
  { holder, origin }: FailureCounter,
  { most, waits, nowMs }: { most: number; waits: readonly FailureWait[]; nowMs: number },
): Promise<boolean> {
  const { loginFailures } = db.tables;
  const { failures, waitUntilMs } = loginFailures;
  const add = () =>
    db.write(
      db
        .update(loginFailures)
        .set({
          waitUntilMs: waitAfter(sql`${failures} + 1`, waits, nowMs),
          failures: sql`${failures} + 1`,
          lastFailureAtMs: nowMs,
        })
        .where(
          and(
            eq(loginFailures.holder, holder),
            eq(loginFailures.origin, origin),
            lt(failures, most),
            lte(waitUntilMs, nowMs),
          ),
        ),
    );
  if ((await add()) === 1) return true;
  const isFirst = await db.insertOnce(loginFailures, {
    holder,
    origin,
    waitUntilMs: 0,
    failures: 1,
    lastFailureAtMs: nowMs,
  });
  return isFirst || (await add()) === 1;
}

function waitAfter(failures: SQL, waits: readonly FailureWait[], nowMs: number): SQL {
  if (waits.length === 0) return sql`0`;
  const cases = waits.map((wait) => sql`when ${wait.failures} then ${nowMs + wait.waitMs}`);
  return sql`case ${failures} ${sql.join(cases, sql` `)} else 0 end`;
}
