import { and, asc, desc, eq, gt, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';

/** True for this one-time password while it is unused and unexpired. */
function isOpen({ oneTimePasswords }: Tables, id: number, nowMs: number): SQL | undefined {
  return and(
    eq(oneTimePasswords.id, id),
    isNull(oneTimePasswords.usedAtMs),
    gt(oneTimePasswords.expiresAtMs, nowMs),
  );
}

/** How many one-time passwords of a holder are valid at a time: the newest ones. */
const PASSWORDS_AT_ONCE = 3;

/** A one-time password that is still valid. */
export interface OpenOneTimePassword {
  id: number;
  digest: string;
}

/** The valid one-time passwords of a holder, newest first: unused, unexpired, with attempts left. */
export function listOpenOneTimePasswords(
  db: Database,
  memberId: number,
  { most, nowMs }: { most: number; nowMs: number },
): Promise<OpenOneTimePassword[]> {
  const { oneTimePasswords } = db.tables;
  const { id, digest, serial, usedAtMs, expiresAtMs, attempts } = oneTimePasswords;
  return db
    .select({ id, digest })
    .from(oneTimePasswords)
    .where(
      and(
        eq(oneTimePasswords.memberId, memberId),
        isNull(usedAtMs),
        gt(expiresAtMs, nowMs),
        lt(attempts, most),
      ),
    )
    .orderBy(desc(serial))
    .limit(PASSWORDS_AT_ONCE);
}

/** The newest one-time password of a holder, used and expired ones included. */
export async function findNewestOneTimePassword(
  db: Database,
  memberId: number,
): Promise<{ serial: number; createdAtMs: number } | undefined> {
  const { oneTimePasswords } = db.tables;
  const { serial, createdAtMs } = oneTimePasswords;
  const [row] = await db
    .select({ serial, createdAtMs })
    .from(oneTimePasswords)
    .where(eq(oneTimePasswords.memberId, memberId))
    .orderBy(desc(serial))
    .limit(1);
  return row;
}

/** Another one-time password of a holder. */
export interface NewOneTimePassword {
  memberId: number;
  digest: string;
  nowMs: number;
  expiresAtMs: number;
  /** No new one is made within this time after the last. */
  pauseMs: number;
}

/**
 * Stores a holder's next one-time password. False when the last one is too recent, or another request stored one at the
 * same time.
 */
export async function insertOneTimePassword(tx: Database, password: NewOneTimePassword): Promise<boolean> {
  const { nowMs, pauseMs, ...row } = password;
  const last = await findNewestOneTimePassword(tx, row.memberId);
  if (last !== undefined && last.createdAtMs > nowMs - pauseMs) return false;
  const serial = (last?.serial ?? 0) + 1;
  return tx.insertOnce(tx.tables.oneTimePasswords, { ...row, serial, createdAtMs: nowMs });
}

/** Takes one of the attempts of a one-time password. False when none is left, or it is used or has expired. */
export async function consumeOneTimePasswordAttempt(
  tx: Database,
  id: number,
  { most, nowMs }: { most: number; nowMs: number },
): Promise<boolean> {
  const { oneTimePasswords } = tx.tables;
  const { attempts } = oneTimePasswords;
  const rows = await tx.write(
    tx
      .update(oneTimePasswords)
      .set({ attempts: sql`${attempts} + 1` })
      .where(and(isOpen(tx.tables, id, nowMs), lt(attempts, most))),
  );
  return rows === 1;
}

/** Consumes a one-time password. True for exactly one of any number of attempts, on any node. */
export async function consumeOneTimePassword(tx: Database, id: number, nowMs: number): Promise<boolean> {
  const statement = tx
    .update(tx.tables.oneTimePasswords)
    .set({ usedAtMs: nowMs })
    .where(isOpen(tx.tables, id, nowMs));
  return (await tx.write(statement)) === 1;
}

/** Removes up to `limit` one-time passwords that expired before `beforeMs`. Returns how many were removed. */
export async function removeOldOneTimePasswords(
  db: Database,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const { oneTimePasswords } = db.tables;
  const hasExpired = lt(oneTimePasswords.expiresAtMs, beforeMs);
  const old = await db
    .select({ id: oneTimePasswords.id })
    .from(oneTimePasswords)
    .where(hasExpired)
    .orderBy(asc(oneTimePasswords.expiresAtMs))
    .limit(limit);
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id).sort((one, other) => one - other);
  return db.write(db.delete(oneTimePasswords).where(and(inArray(oneTimePasswords.id, ids), hasExpired)));
}
