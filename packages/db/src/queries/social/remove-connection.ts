import { and, count, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/**
 * Removes a connection of a locked member. `needsAnother` keeps the last one of a member with no other way to
 * sign in.
 * @returns `last` when it was kept, `absent` when the member has no such connection
 */
export async function removeConnection(
  tx: Database,
  { id, memberId, needsAnother }: { id: number; memberId: number; needsAnother: boolean },
): Promise<'removed' | 'absent' | 'last'> {
  const { socialConnections } = tx.tables;
  const own = eq(socialConnections.memberId, memberId);
  const [mine] = await tx
    .select({ id: socialConnections.id })
    .from(socialConnections)
    .where(and(eq(socialConnections.id, id), own));
  if (mine === undefined) return 'absent';
  if (needsAnother) {
    const [all] = await tx.select({ count: count() }).from(socialConnections).where(own);
    if ((all?.count ?? 0) <= 1) return 'last';
  }
  const rows = await tx.write(tx.delete(socialConnections).where(and(eq(socialConnections.id, id), own)));
  return rows === 1 ? 'removed' : 'absent';
}
