import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Whether a connection still exists and belongs to the member. */
export async function hasConnection(
  db: Database,
  { id, memberId }: { id: number; memberId: number },
): Promise<boolean> {
  const { socialConnections } = db.tables;
  const [row] = await db
    .select({ id: socialConnections.id })
    .from(socialConnections)
    .where(and(eq(socialConnections.id, id), eq(socialConnections.memberId, memberId)));
  return row !== undefined;
}

/** Whether a member has any connection. */
export async function hasAnyConnection(db: Database, memberId: number): Promise<boolean> {
  const { socialConnections } = db.tables;
  const [row] = await db
    .select({ id: socialConnections.id })
    .from(socialConnections)
    .where(eq(socialConnections.memberId, memberId))
    .limit(1);
  return row !== undefined;
}
