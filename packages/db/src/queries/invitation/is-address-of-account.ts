import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Whether the person with this address has a live membership in an account. */
export async function isAddressOfAccount(
  db: Database,
  { accountId, emailKey }: { accountId: number; emailKey: string },
): Promise<boolean> {
  const { members, memberships } = db.tables;
  const rows = await db
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberships.memberId))
    .where(
      and(
        eq(members.emailKey, emailKey),
        eq(members.isDeleted, false),
        eq(memberships.accountId, accountId),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
      ),
    )
    .limit(1);
  return rows.length > 0;
}
