import { count } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { hasPlainPassword } from './has-plain-password.js';

/** How many members' passwords are still stored in plain text; reads every member. */
export async function countPlainPasswords(db: Database): Promise<number> {
  const { members } = db.tables;
  const [row] = await db.select({ count: count() }).from(members).where(hasPlainPassword(db.tables));
  return row?.count ?? 0;
}
