import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** A membership, including a disabled one, but not a removed one. */
export async function findMembership(
  db: Database,
  { memberId, accountId }: { memberId: number; accountId: number },
): Promise<{ roleType: number; customRoleId: number | null; active: boolean } | undefined> {
  const { memberships } = db.tables;
  const [row] = await db
    .select({
      roleType: memberships.roleType,
      customRoleId: memberships.customRoleId,
      active: memberships.active,
    })
    .from(memberships)
    .where(
      and(
        eq(memberships.memberId, memberId),
        eq(memberships.accountId, accountId),
        eq(memberships.isDeleted, false),
      ),
    );
  return row;
}
