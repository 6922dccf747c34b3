import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** A holder's newest one-time password; `id` and `serial` identify it. */
export interface OneTimePasswordRow {
  id: number;
  serial: number;
  digest: string;
  createdAtMs: number;
}

/** The newest one-time password of a holder, used and expired ones included. */
export async function findOneTimePassword(
  db: Database,
  memberId: number,
): Promise<OneTimePasswordRow | undefined> {
  const { oneTimePasswords } = db.tables;
  const { id, serial, digest, createdAtMs } = oneTimePasswords;
  const [row] = await db
    .select({ id, serial, digest, createdAtMs })
    .from(oneTimePasswords)
    .where(eq(oneTimePasswords.memberId, memberId));
  return row;
}
