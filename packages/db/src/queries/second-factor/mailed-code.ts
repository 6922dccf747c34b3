import { and, eq, gt, inArray, isNull, lt, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** A mailed code and what it is good for. */
export interface NewMailedCode {
  /** The digest of the challenge or session that asked. */
  boundKey: string;
  memberId: number;
  digest: string;
  nowMs: number;
  expiresAtMs: number;
  /** Nothing is replaced that is younger than this. */
  pauseMs: number;
}

/** Stores the new code of a challenge or session. False when the last one is too recent to be replaced. */
export async function setMailedCode(tx: Database, code: NewMailedCode): Promise<boolean> {
  const { mailedCodes } = tx.tables;
  const { boundKey, memberId, digest, nowMs, expiresAtMs, pauseMs } = code;
  const row = { digest, expiresAtMs, createdAtMs: nowMs, attempts: 0, usedAtMs: null };
  const replaced = await tx.write(
    tx
      .update(mailedCodes)
      .set(row)
      .where(and(eq(mailedCodes.boundKey, boundKey), lte(mailedCodes.createdAtMs, nowMs - pauseMs))),
  );
  return replaced === 1 || tx.insertOnce(mailedCodes, { boundKey, memberId, ...row });
}

/** Stores the codes of one mail, of which none is there yet. */
export async function insertMailedCodes(
  tx: Database,
  codes: readonly Omit<NewMailedCode, 'pauseMs'>[],
): Promise<void> {
  const rows = codes.map(({ nowMs, ...code }) => ({ ...code, createdAtMs: nowMs }));
  await tx.insertMany(tx.tables.mailedCodes, rows);
}

/** Whom a code was mailed to; undefined once it is used or has expired. */
export async function findMailedCodeHolder(
  db: Database,
  { boundKey, nowMs }: { boundKey: string; nowMs: number },
): Promise<number | undefined> {
  const { mailedCodes } = db.tables;
  const [row] = await db
    .select({ memberId: mailedCodes.memberId })
    .from(mailedCodes)
    .where(isOpen(db, boundKey, nowMs));
  return row?.memberId;
}

/** Takes one of the attempts of a mailed code. False when none is left, or it is used or has expired. */
export async function consumeMailedCodeAttempt(
  db: Database,
  { boundKey, most, nowMs }: { boundKey: string; most: number; nowMs: number },
): Promise<boolean> {
  const { mailedCodes } = db.tables;
  const { attempts } = mailedCodes;
  const rows = await db.write(
    db
      .update(mailedCodes)
      .set({ attempts: sql`${attempts} + 1` })
      .where(and(isOpen(db, boundKey, nowMs), lt(attempts, most))),
  );
  return rows === 1;
}

/** Whether one of these digests is the open code of a challenge or session. */
export async function hasMailedCode(
  db: Database,
  { boundKey, digests, nowMs }: { boundKey: string; digests: readonly string[]; nowMs: number },
): Promise<boolean> {
  const { mailedCodes } = db.tables;
  const rows = await db
    .select({ id: mailedCodes.id })
    .from(mailedCodes)
    .where(and(isOpen(db, boundKey, nowMs), inArray(mailedCodes.digest, [...digests])));
  return rows.length > 0;
}

/** Uses up a mailed code. True for one of any number of attempts. */
export async function consumeMailedCode(
  tx: Database,
  { boundKey, digests, nowMs }: { boundKey: string; digests: readonly string[]; nowMs: number },
): Promise<boolean> {
  const { mailedCodes } = tx.tables;
  const rows = await tx.write(
    tx
      .update(mailedCodes)
      .set({ usedAtMs: nowMs })
      .where(and(isOpen(tx, boundKey, nowMs), inArray(mailedCodes.digest, [...digests]))),
  );
  return rows === 1;
}

function isOpen({ tables }: Database, boundKey: string, nowMs: number) {
  const { mailedCodes } = tables;
  return and(
    eq(mailedCodes.boundKey, boundKey),
    isNull(mailedCodes.usedAtMs),
    gt(mailedCodes.expiresAtMs, nowMs),
  );
}
