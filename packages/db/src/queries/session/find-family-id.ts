import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { familyOf } from '../access/is-of-family.js';

/** The family of one of a member's rows. The first row of a family may be gone, so its number stands for itself. */
export async function findFamilyId(
  db: Database,
  { memberId, sessionId }: { memberId: number; sessionId: number },
): Promise<number> {
  const { sessions } = db.tables;
  const [row] = await db
    .select({ familyId: familyOf(db.tables) })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.memberId, memberId)));
  return row?.familyId ?? sessionId;
}
