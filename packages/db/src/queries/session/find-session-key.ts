import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The token of a session and whose it is, for staff who ask about it. */
export interface SessionKey {
  memberId: number;
  tokenKey: string;
  createdAtMs: number;
  impersonationId: number | null;
}

/** The session with this id; undefined for one that was removed. */
export async function findSessionKey(db: Database, sessionId: number): Promise<SessionKey | undefined> {
  const { sessions } = db.tables;
  const { memberId, tokenKey, createdAtMs, impersonationId } = sessions;
  const [row] = await db
    .select({ memberId, tokenKey, createdAtMs, impersonationId })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  return row;
}
