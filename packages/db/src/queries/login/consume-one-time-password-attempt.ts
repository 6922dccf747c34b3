import { and, lt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { isOpen, type OneTimePasswordName } from './is-open.js';

/** Takes one of the attempts of a one-time password. False when none is left, or it is used, expired or replaced. */
export async function consumeOneTimePasswordAttempt(
  tx: Database,
  password: OneTimePasswordName,
  { most, nowMs }: { most: number; nowMs: number },
): Promise<boolean> {
  const { oneTimePasswords } = tx.tables;
  const { attempts } = oneTimePasswords;
  const rows = await tx.write(
    tx
      .update(oneTimePasswords)
      .set({ attempts: sql`${attempts} + 1` })
      .where(and(isOpen(tx.tables, password, nowMs), lt(attempts, most))),
  );
  return rows === 1;
}
