import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Replaces a stored password by a hash of the same password, unless it has been changed meanwhile; says whether it did.
 * `passwordRounds` is what a comparison takes where it is none of ours. The password stays the same for its owner, so no
 * session ends and nothing is recorded in the change log.
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
      .set({ password: hash, passwordRounds })
      .where(and(eq(members.id, memberId), eq(members.password, expectedPassword))),
  );
  return rows === 1;
}
