import { and, eq, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { given, prepareWrite } from '../prepared.js';

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

type Attempt = FailureCounter & { most: number; nowMs: number };

/** A statement for each rule of pauses, of which there are two. */
const adds = new Map<string, (db: Database, attempt: Attempt) => Promise<number>>();

function addWith(waits: readonly FailureWait[]) {
  const rule = waits.map(({ failures, waitMs }) => `${failures} ${waitMs}`).join(' ');
  const known = adds.get(rule) ?? prepareAdd(waits);
  adds.set(rule, known);
  return known;
}

function prepareAdd(waits: readonly FailureWait[]) {
  return prepareWrite<Attempt>((db) => {
    const { loginFailures } = db.tables;
    const { holder, origin, failures, waitUntilMs, lastFailureAtMs } = loginFailures;
    return db
      .update(loginFailures)
      .set({
        waitUntilMs: waitAfter(sql`${failures} + 1`, waits),
        failures: sql`${failures} + 1`,
        lastFailureAtMs: given(lastFailureAtMs, 'nowMs'),
      })
      .where(
        and(
          eq(holder, given(holder, 'holder')),
          eq(origin, given(origin, 'origin')),
          lt(failures, given(failures, 'most')),
          lte(waitUntilMs, given(waitUntilMs, 'nowMs')),
        ),
      );
  });
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
  const add = addWith(waits);
  const attempt = { holder, origin, most, nowMs };
  if ((await add(db, attempt)) === 1) return true;
  const first = { holder, origin, waitUntilMs: 0, failures: 1, lastFailureAtMs: nowMs };
  if (await db.insertOnce(db.tables.loginFailures, first)) return true;
  return (await add(db, attempt)) === 1;
}

function waitAfter(failures: SQL, waits: readonly FailureWait[]): SQL {
  if (waits.length === 0) return sql`0`;
  const now = sql.placeholder('nowMs');
  const cases = waits.map((wait) => sql`when ${wait.failures} then ${now} + ${wait.waitMs}`);
  return sql`case ${failures} ${sql.join(cases, sql` `)} else 0 end`;
}
