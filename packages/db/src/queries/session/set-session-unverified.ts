import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Has a session that has just begun ask for a verification before anything that takes a recent one. */
export async function setSessionUnverified(tx: Database, sessionId: number): Promise<void> {
  const { sessions } = tx.tables;
  await tx.write(tx.update(sessions).set({ verifiedAtMs: null }).where(eq(sessions.id, sessionId)));
}
