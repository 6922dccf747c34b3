import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The live member with an address, confirmed or not. */
export async function findMemberByAddress(
  db: Database,
  emailKey: string,
): Promise<{ id: number; isConfirmed: boolean } | undefined> {
  const { members } = db.tables;
  const { id, emailConfirmedAtMs } = members;
  const [row] = await db
    .select({ id, emailConfirmedAtMs })
    .from(members)
    .where(and(eq(members.emailKey, emailKey), eq(members.isDeleted, false)));
  return row && { id: row.id, isConfirmed: row.emailConfirmedAtMs !== null };
}
