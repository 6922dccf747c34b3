import { and, asc, eq, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type ConnectionRow, connectionColumns } from './connection-columns.js';

/** The connections of a member, oldest first; `afterId` pages on. */
export async function listConnections(
  db: Database,
  memberId: number,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<ConnectionRow[]> {
  const { socialConnections } = db.tables;
  return db
    .select(connectionColumns(db.tables))
    .from(socialConnections)
    .where(and(eq(socialConnections.memberId, memberId), gt(socialConnections.id, afterId)))
    .orderBy(asc(socialConnections.id))
    .limit(limit);
}
