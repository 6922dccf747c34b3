import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Replaces a stored password by its own hash, unless it has been changed meanwhile; says whether it did. The password
 * stays the same for its owner, so no session ends and nothing is recorded in the change log.
 */
export async function setPasswordHash(
  db: Database,
  memberId: number,
  expectedPassword: string,
  hash: string,
): Promise<boolean> {
  const { members } = db.tables;
  const rows = await db.write(
    db
      .update(members)
      .set({ password: hash })
      .where(and(eq(members.id, memberId), eq(members.password, expectedPassword))),
  );
  return rows === 1;
}
