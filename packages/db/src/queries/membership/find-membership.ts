import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** The role in an account, and whether it gives access. */
export interface FoundMembership {
  roleType: number;
  customRoleId: number | null;
  active: boolean;
  /** Whether one that is not active awaits an owner's approval. */
  awaitsOwner: boolean;
}

/** A membership, including a disabled one, but not a removed one. */
export async function findMembership(
  db: Database,
  { memberId, accountId }: { memberId: number; accountId: number },
): Promise<FoundMembership | undefined> {
  const { memberships } = db.tables;
  const [row] = await db
    .select({
      roleType: memberships.roleType,
      customRoleId: memberships.customRoleId,
      active: memberships.active,
      awaitsOwner: memberships.awaitsOwner,
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
