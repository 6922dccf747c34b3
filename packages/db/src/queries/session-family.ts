import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';

/** The family of a session's row: the first row of the chain of refreshed tokens, which may be the row itself. */
export function familyOf({ sessions }: Pick<Database['tables'], 'sessions'>): SQL<number> {
  return sql<number>`coalesce(${sessions.familyId}, ${sessions.id})`.mapWith(sessions.id);
}

/** Whether a row belongs to a family. Combine it with the member, whose index finds the rows. */
export function isOfFamily(tables: Pick<Database['tables'], 'sessions'>, familyId: number): SQL {
  return sql`${familyOf(tables)} = ${familyId}`;
}
