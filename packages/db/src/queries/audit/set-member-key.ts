import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Stores the key of a member sealed anew; does nothing for one that was erased, or sealed anew by somebody else. */
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
