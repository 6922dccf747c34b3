import { and, asc, count, gt, inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { hasUnknownPassword } from './has-unknown-password.js';

/**
 * How many members' stored passwords are no hash that is known; reads every member.
 * @param isPlain those that were declared plain, or those with which nobody signs in
 */
export async function countUnknownPasswords(
  db: Database,
  { isPlain }: { isPlain: boolean },
): Promise<number> {
  const { members } = db.tables;
  const [row] = await db.select({ count: count() }).from(members).where(hasUnknownPassword(db, isPlain));
  return row?.count ?? 0;
}

/** The same passwords, by ascending member id; `afterId` pages on. */
export async function listUnknownPasswords(
  db: Database,
  { isPlain, afterId, limit }: { isPlain: boolean; afterId: number; limit: number },
): Promise<{ id: number; password: string }[]> {
  const { members } = db.tables;
  return db
    .select({ id: members.id, password: members.password })
    .from(members)
    .where(and(gt(members.id, afterId), hasUnknownPassword(db, isPlain)))
    .orderBy(asc(members.id))
    .limit(limit);
}

/**
 * Declares that the stored texts of these members are their passwords. Skips those whose stored password is a hash by now.
 * Returns how many it declared.
 */
export async function declarePlainPasswords(db: Database, memberIds: readonly number[]): Promise<number> {
  if (memberIds.length === 0) return 0;
  const { members } = db.tables;
  return db.write(
    db
      .update(members)
      .set({ passwordIsPlain: true })
      .where(and(inArray(members.id, [...memberIds]), hasUnknownPassword(db, false))),
  );
}
