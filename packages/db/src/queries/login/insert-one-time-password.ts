import type { Database } from '../../database.js';
import { findNewestOneTimePassword } from './list-one-time-passwords.js';

/** Another one-time password of a holder. */
export interface NewOneTimePassword {
  memberId: number;
  digest: string;
  nowMs: number;
  expiresAtMs: number;
  /** None is made this soon after the last one. */
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
