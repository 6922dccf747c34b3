import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** How many codes of one challenge, session or flow count at once: the newest ones. */
const CODES_AT_ONCE = 3;

/** A mailed code and what it is good for. */
export interface NewMailedCode {
  /** The digest of the challenge, session or flow that asked. */
  boundKey: string;
  memberId: number;
  digest: string;
  nowMs: number;
  expiresAtMs: number;
  /** No code is made this soon after the last one. */
  pauseMs: number;
}

/** A code that still counts. */
export interface OpenMailedCode {
  id: number;
  memberId: number;
  digest: string;
}

/**
 * Stores another code of a challenge, session or flow. False when the last one is too recent, or another request stored
 * one at the same time.
 */
export async function insertMailedCode(tx: Database, code: NewMailedCode): Promise<boolean> {
  const { mailedCodes } = tx.tables;
  const { pauseMs, nowMs, ...row } = code;
  const [last] = await tx
    .select({ serial: mailedCodes.serial, createdAtMs: mailedCodes.createdAtMs })
    .from(mailedCodes)
    .where(eq(mailedCodes.boundKey, code.boundKey))
    .orderBy(desc(mailedCodes.serial))
    .limit(1);
  if (last !== undefined && last.createdAtMs > nowMs - pauseMs) return false;
  const serial = (last?.serial ?? 0) + 1;
  return tx.insertOnce(mailedCodes, { ...row, serial, createdAtMs: nowMs });
}

/** The codes that count for a challenge, session or flow, newest first: unused, unexpired, with attempts left. */
export function listOpenMailedCodes(
  db: Database,
  { boundKey, most, nowMs }: { boundKey: string; most: number; nowMs: number },
): Promise<OpenMailedCode[]> {
  const { mailedCodes } = db.tables;
  const { id, memberId, digest } = mailedCodes;
  return db
    .select({ id, memberId, digest })
    .from(mailedCodes)
    .where(and(eq(mailedCodes.boundKey, boundKey), isOpen(db, nowMs), lt(mailedCodes.attempts, most)))
    .orderBy(desc(mailedCodes.serial))
    .limit(CODES_AT_ONCE);
}

/** Takes one of the attempts of a mailed code. False when none is left, or it is used or has expired. */
export async function consumeMailedCodeAttempt(
  db: Database,
  { id, most, nowMs }: { id: number; most: number; nowMs: number },
): Promise<boolean> {
  const { mailedCodes } = db.tables;
  const { attempts } = mailedCodes;
  const rows = await db.write(
    db
      .update(mailedCodes)
      .set({ attempts: sql`${attempts} + 1` })
      .where(and(eq(mailedCodes.id, id), isOpen(db, nowMs), lt(attempts, most))),
  );
  return rows === 1;
}

/** Uses up a mailed code. True for one of any number of attempts. */
export async function consumeMailedCode(
  tx: Database,
  { id, nowMs }: { id: number; nowMs: number },
): Promise<boolean> {
  const { mailedCodes } = tx.tables;
  const statement = tx
    .update(mailedCodes)
    .set({ usedAtMs: nowMs })
    .where(and(eq(mailedCodes.id, id), isOpen(tx, nowMs)));
  return (await tx.write(statement)) === 1;
}

function isOpen({ tables }: Database, nowMs: number) {
  const { mailedCodes } = tables;
  return and(isNull(mailedCodes.usedAtMs), gt(mailedCodes.expiresAtMs, nowMs));
}
