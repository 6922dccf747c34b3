import { and, lt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { isOpen } from './is-open.js';

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
