import { desc } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { NODE_RELEASE } from './old-node-seen-at.js';

/** How many of the newest sessions are looked through. */
const NEWEST = 1_000;

/**
 * When a node that ignores levels and policies was last seen: by its own report or, for a release that made none, by a
 * session it began. Undefined if none was.
 */
export async function findOldNodeSeen(db: Database): Promise<number | undefined> {
  const { serviceNodes, sessions } = db.tables;
  const { release, reportedAtMs } = serviceNodes;
  const nodes = await db.select({ release, reportedAtMs }).from(serviceNodes);
  const { createdAtMs, authTimeMs, impersonationId } = sessions;
  const newest = await db
    .select({ createdAtMs, authTimeMs, impersonationId })
    .from(sessions)
    .orderBy(desc(sessions.id))
    .limit(NEWEST);
  const seen = [
    ...nodes.filter((node) => node.release < NODE_RELEASE).map((node) => node.reportedAtMs),
    ...newest
      .filter((session) => session.authTimeMs === null && session.impersonationId === null)
      .map((session) => session.createdAtMs),
  ];
  return seen.length === 0 ? undefined : Math.max(...seen);
}
