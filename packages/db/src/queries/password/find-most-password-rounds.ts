import { max } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The most rounds of bcrypt that comparing with any stored password takes; undefined where all are hashes of ours. */
export async function findMostPasswordRounds(db: Database): Promise<number | undefined> {
  const { members } = db.tables;
  const [row] = await db.select({ rounds: max(members.passwordRounds) }).from(members);
  return row?.rounds ?? undefined;
}
