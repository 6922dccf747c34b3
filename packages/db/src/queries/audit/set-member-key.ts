import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Stores the re-encrypted key of a member, unless it was erased or changed meanwhile. */
export async function setMemberKey(
  db: Database,
  change: { memberId: number; expectedKey: string; key: string },
): Promise<void> {
  const { memberKeys } = db.tables;
  const { memberId, expectedKey, key } = change;
  await db.write(
    db
      .update(memberKeys)
      .set({ key })
      .where(and(eq(memberKeys.memberId, memberId), eq(memberKeys.key, expectedKey))),
  );
}
