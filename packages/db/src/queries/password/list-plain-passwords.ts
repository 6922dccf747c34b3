import { and, asc, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { hasPlainPassword } from './has-plain-password.js';

/** Passwords still stored in plain text, by ascending member id; `afterId` pages on. */
export async function listPlainPasswords(
  db: Database,
  afterId: number,
  limit: number,
): Promise<{ id: number; password: string }[]> {
  const { members } = db.tables;
  return db
    .select({ id: members.id, password: members.password })
    .from(members)
    .where(and(gt(members.id, afterId), hasPlainPassword(db.tables)))
    .orderBy(asc(members.id))
    .limit(limit);
}
