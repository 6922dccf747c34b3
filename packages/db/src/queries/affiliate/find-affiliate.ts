import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { memberInScope } from '../member/member-in-scope.js';
import type { MemberScope } from '../membership/member-scope.js';
import { type AffiliateRow, affiliateColumns } from './affiliate-columns.js';

/** The affiliate record of a member. The member must be live and belong to an account in scope. */
export async function findAffiliate(
  db: Database,
  scope: MemberScope,
  memberId: number,
): Promise<AffiliateRow | undefined> {
  const { affiliates, members } = db.tables;
  const [row] = await db
    .select(affiliateColumns(db.tables))
    .from(affiliates)
    .innerJoin(members, eq(members.id, affiliates.memberId))
    .where(and(eq(affiliates.memberId, memberId), eq(members.isDeleted, false), memberInScope(db, scope)));
  return row;
}
