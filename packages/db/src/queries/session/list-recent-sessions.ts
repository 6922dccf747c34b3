import { desc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { given, prepareRead } from '../prepared.js';

/** Where and when a session began. */
export interface RecentSession {
  id: number;
  address: string;
  device: string;
  createdAtMs: number;
}

const list = prepareRead<RecentSession, { memberId: number; limit: number }>((db) => {
  const { sessions } = db.tables;
  const { id, address, device, createdAtMs, memberId } = sessions;
  return db
    .select({ id, address, device, createdAtMs })
    .from(sessions)
    .where(eq(memberId, given(memberId, 'memberId')))
    .orderBy(desc(id))
    .limit(sql.placeholder('limit'));
});

/** The newest sessions of a member, ended ones included. */
export function listRecentSessions(
  db: Database,
  recent: { memberId: number; limit: number },
): Promise<RecentSession[]> {
  return list(db, recent);
}
