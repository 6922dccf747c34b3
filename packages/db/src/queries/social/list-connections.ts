import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { countUpTo } from '../page/count-up-to.js';
import { prepareRead } from '../prepared.js';
import { type ConnectionRow, connectionColumns } from './connection-columns.js';

const prepared = prepareRead((db) => {
  const { socialConnections } = db.tables;
  return db
    .select(connectionColumns(db.tables))
    .from(socialConnections)
    .where(
      and(
        eq(socialConnections.memberId, sql.placeholder('memberId')),
        gt(socialConnections.id, sql.placeholder('afterId')),
      ),
    )
    .orderBy(asc(socialConnections.id))
    .limit(sql.placeholder('limit'));
});

/** The connections of a member, oldest first; `afterId` pages on. */
export async function listConnections(
  db: Database,
  memberId: number,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<ConnectionRow[]> {
  return prepared(db, { memberId, afterId, limit });
}

/** How many there are, at most `MOST_COUNTED`. */
export function countConnections(db: Database, memberId: number): Promise<number> {
  const { socialConnections } = db.tables;
  return countUpTo(db, socialConnections, eq(socialConnections.memberId, memberId));
}
