import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** What nodes of this release say that they know of second factors. */
export const NODE_RELEASE = 1;

/** When a node that ignores levels and policies was last seen, as part of a select; null if none was. */
export function oldNodeSeenAt({ tables: { serviceNodes } }: Database): SQL<number | null> {
  const { release, reportedAtMs } = serviceNodes;
  return sql<
    number | null
  >`(select max(${reportedAtMs}) from ${serviceNodes} where ${release} < ${sql.raw(String(NODE_RELEASE))})`;
}
