import { and, eq, lte, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** A one-time password that replaces earlier ones of the same holder. */
export interface NewOneTimePassword {
  memberId: number;
  digest: string;
  nowMs: number;
  expiresAtMs: number;
  /** One-time passwords younger than this are not replaced. */
  pauseMs: number;
}

/** Stores a holder's new one-time password. False when the last one is too recent to be replaced. */
export async function setOneTimePassword(tx: Database, password: NewOneTimePassword): Promise<boolean> {
  const { oneTimePasswords } = tx.tables;
  const { memberId, digest, nowMs, expiresAtMs, pauseMs } = password;
  const row = { digest, expiresAtMs, createdAtMs: nowMs, attempts: 0, usedAtMs: null };
  const replaced = await tx.write(
    tx
      .update(oneTimePasswords)
      .set({ ...row, serial: sql`${oneTimePasswords.serial} + 1` })
      .where(
        and(eq(oneTimePasswords.memberId, memberId), lte(oneTimePasswords.createdAtMs, nowMs - pauseMs)),
      ),
  );
  return replaced === 1 || tx.insertOnce(oneTimePasswords, { ...row, memberId, serial: 1 });
}
