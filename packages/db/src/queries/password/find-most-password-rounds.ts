import { max } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The most bcrypt rounds of all stored passwords. Undefined if all have our own cost. */
export async function findMostPasswordRounds(db: Database): Promise<number | undefined> {
  const { members } = db.tables;
  const [row] = await db.select({ rounds: max(members.passwordRounds) }).from(members);
  return row?.rounds ?? undefined;
}
