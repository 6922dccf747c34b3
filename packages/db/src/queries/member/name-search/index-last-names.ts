import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../../database.js';

/**
 * Writes the searched form of up to `limit` last names that have none, as after an import or an upgrade.
 * Returns how many it wrote. If a name changes meanwhile, that change writes it.
 */
export async function indexLastNames(
  db: Database,
  { limit, keyOf }: { limit: number; keyOf: (lastName: string) => string },
): Promise<number> {
  const { members } = db.tables;
  const { id, lastName, lastNameKey, isDeleted } = members;
  const unknown = await db
    .select({ id, lastName })
    .from(members)
    .where(and(isNull(lastNameKey), eq(isDeleted, false)))
    .limit(limit);
  if (unknown.length === 0) return 0;
  return db.transaction(async (tx) => {
    let learned = 0;
    for (const member of unknown) {
      learned += await tx.write(
        tx
          .update(members)
          .set({ lastNameKey: keyOf(member.lastName) })
          .where(and(eq(id, member.id), eq(lastName, member.lastName), isNull(lastNameKey))),
      );
    }
    return learned;
  });
}
