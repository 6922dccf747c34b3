import { max } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { prepareRead } from '../prepared.js';

const find = prepareRead<{ rounds: number | null }, object>((db) => {
  const { members } = db.tables;
  return db.select({ rounds: max(members.passwordRounds) }).from(members);
});

/** The most bcrypt rounds of all stored passwords. Undefined if all have our own cost. */
export async function findMostPasswordRounds(db: Database): Promise<number | undefined> {
  const [row] = await find(db, {});
  return row?.rounds ?? undefined;
}
