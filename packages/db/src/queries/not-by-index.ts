import { type SQL, sql } from 'drizzle-orm';

/**
 * A condition that no index answers, for statements that know the ids of their rows: otherwise SQLite prefers an index of the column
 * that is compared, and reads all rows that are pending to find eight of them.
 */
export function notByIndex(condition: SQL | undefined): SQL {
  return sql`case when ${condition} then 1 end = 1`;
}
