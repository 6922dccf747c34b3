import { and, asc, countDistinct, eq, gt, gte, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { startsWith } from './match-text.js';
import { given, prepareRead, prepareWrite } from './prepared.js';

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

/** One statement for each of the two rules of pauses. */
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

const preparedFailures = prepareRead(selectLoginFailures);

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
  const [row] = await preparedFailures(db, { holder, origin });
  return row ?? { failures: 0, waitUntilMs: 0 };
}

const preparedEnd = prepareWrite<{ holder: string }>((db) => {
  const { loginFailures } = db.tables;
  const { holder, failures } = loginFailures;
  return db
    .update(loginFailures)
    .set({ waitUntilMs: 0, failures: 0 })
    .where(and(eq(holder, given(holder, 'holder')), gt(failures, 0)));
});

/** Resets a member's failures at every address. Returns how many counters there were. */
export function endLoginFailures(db: Database, holder: string): Promise<number> {
  return preparedEnd(db, { holder });
}

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

/**
 * Removes up to `limit` counters that lock no member and have had no failure since a moment: those of unknown
 * login names, of single addresses, and those reset by a success. Returns how many were removed.
 */
export async function removeOldLoginFailures(
  db: Database,
  { unknownPrefix, beforeMs, limit }: { unknownPrefix: string; beforeMs: number; limit: number },
): Promise<number> {
  const { loginFailures } = db.tables;
  const { holder, origin, failures, lastFailureAtMs } = loginFailures;
  const isOld = lt(lastFailureAtMs, beforeMs);
  const isForgettable = or(startsWith(holder, unknownPrefix), ne(origin, ''), eq(failures, 0));
  const rows = await db
    .select({ holder, origin })
    .from(loginFailures)
    .where(and(isOld, isForgettable))
    .orderBy(asc(lastFailureAtMs))
    .limit(limit);
  let removed = 0;
  for (const row of rows) {
    removed += await db.write(
      db
        .delete(loginFailures)
        .where(and(eq(holder, row.holder), eq(origin, row.origin), isOld, isForgettable)),
    );
  }
  return removed;
}

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

type Origin = { memberId: number; originKey: string; sinceMs: number };

const findOrigin = prepareRead<{ id: number }, Origin>((db) => {
  const { loginFamiliarity } = db.tables;
  const { id, memberId, originKey, lastSuccessAtMs } = loginFamiliarity;
  return db
    .select({ id })
    .from(loginFamiliarity)
    .where(
      and(
        eq(memberId, given(memberId, 'memberId')),
        eq(originKey, given(originKey, 'originKey')),
        gt(lastSuccessAtMs, given(lastSuccessAtMs, 'sinceMs')),
      ),
    );
});

/** Whether a member signed in from this place since a moment. */
export async function isFamiliarOrigin(db: Database, origin: Origin): Promise<boolean> {
  return (await findOrigin(db, origin)).length > 0;
}

type OriginUse = { memberId: number; originKey: string; nowMs: number };

const refreshOrigin = prepareWrite<OriginUse>((db) => {
  const { loginFamiliarity } = db.tables;
  const { memberId, originKey, lastSuccessAtMs } = loginFamiliarity;
  return db
    .update(loginFamiliarity)
    .set({ lastSuccessAtMs: given(lastSuccessAtMs, 'nowMs') })
    .where(and(eq(memberId, given(memberId, 'memberId')), eq(originKey, given(originKey, 'originKey'))));
});

/** Records that a member has just signed in from a place. True if they did before, as far as that is remembered. */
export async function recordFamiliarOrigin(tx: Database, origin: OriginUse): Promise<boolean> {
  if ((await refreshOrigin(tx, origin)) > 0) return true;
  return insertOrigin(tx, origin);
}

async function insertOrigin(tx: Database, { memberId, originKey, nowMs }: OriginUse): Promise<false> {
  await tx.insertOnce(tx.tables.loginFamiliarity, { memberId, originKey, lastSuccessAtMs: nowMs });
  return false;
}

type OriginPair = { memberId: number; one: string; other: string; nowMs: number };

const refreshOrigins = prepareWrite<OriginPair>((db) => {
  const { loginFamiliarity } = db.tables;
  const { memberId, originKey, lastSuccessAtMs } = loginFamiliarity;
  const isOne = or(eq(originKey, given(originKey, 'one')), eq(originKey, given(originKey, 'other')));
  return db
    .update(loginFamiliarity)
    .set({ lastSuccessAtMs: given(lastSuccessAtMs, 'nowMs') })
    .where(and(eq(memberId, given(memberId, 'memberId')), isOne));
});

/** Records two places of one sign-in. Returns whether each was known. */
export async function recordFamiliarOrigins(
  tx: Database,
  { memberId, one, other, nowMs }: OriginPair,
): Promise<readonly [boolean, boolean]> {
  const refreshed = await refreshOrigins(tx, { memberId, one, other, nowMs });
  if (refreshed === 2) return [true, true];
  const record = refreshed === 0 ? insertOrigin : recordFamiliarOrigin;
  return [
    await record(tx, { memberId, originKey: one, nowMs }),
    await record(tx, { memberId, originKey: other, nowMs }),
  ];
}
