import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Removes a subject of an account. `gone` when it was already removed, `unknown` when the account never had it. */
export async function removeSubject(
  tx: Database,
  { subjectId, accountId, nowMs }: { subjectId: number; accountId: number; nowMs: number },
): Promise<'removed' | 'gone' | 'unknown'> {
  const { subjects } = tx.tables;
  const own = and(eq(subjects.id, subjectId), eq(subjects.accountId, accountId));
  const rows = await tx.write(
    tx
      .update(subjects)
      .set({ isDeleted: true, deletedAtMs: nowMs })
      .where(and(own, eq(subjects.isDeleted, false))),
  );
  if (rows === 1) return 'removed';
  const [known] = await tx.select({ id: subjects.id }).from(subjects).where(own);
  return known ? 'gone' : 'unknown';
}
