import { desc, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Where and when a session began. */
export interface RecentSession {
  id: number;
  address: string;
  device: string;
  createdAtMs: number;
}

/** The newest sessions of a member, ended ones included. */
export async function listRecentSessions(
  db: Database,
  { memberId, limit }: { memberId: number; limit: number },
): Promise<RecentSession[]> {
  const { sessions } = db.tables;
  const { id, address, device, createdAtMs } = sessions;
  return db
    .select({ id, address, device, createdAtMs })
    .from(sessions)
    .where(eq(sessions.memberId, memberId))
    .orderBy(desc(id))
    .limit(limit);
}
