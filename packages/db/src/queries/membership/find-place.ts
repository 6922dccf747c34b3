import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MemberPlace, placeColumns } from '../access/member-columns.js';

/** The live membership of a member in an account. */
export async function findPlace(
  db: Database,
  { memberId, accountId }: { memberId: number; accountId: number },
): Promise<MemberPlace | undefined> {
  const { memberships } = db.tables;
  const [row] = await db
    .select(placeColumns(db.tables))
    .from(memberships)
    .where(
      and(
        eq(memberships.memberId, memberId),
        eq(memberships.accountId, accountId),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
      ),
    );
  return row;
}
