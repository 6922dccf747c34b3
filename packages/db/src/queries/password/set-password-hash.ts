import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Replaces a stored password by a hash of the same password, unless it was changed meanwhile. Returns whether it
 * did. `passwordRounds` is given for hashes not of our own cost. The password itself is the same, so no session
 * ends and nothing is logged.
 */
export async function setPasswordHash(
  db: Database,
  memberId: number,
  expectedPassword: string,
  hash: string,
  passwordRounds: number | null = null,
): Promise<boolean> {
  const { members } = db.tables;
  const rows = await db.write(
    db
      .update(members)
      .set({ password: hash, passwordIsPlain: false, passwordRounds })
      .where(and(eq(members.id, memberId), eq(members.password, expectedPassword))),
  );
  return rows === 1;
}
