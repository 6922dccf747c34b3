import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type MemberRow, memberColumns } from './member-columns.js';

/** The accounts whose members may be seen. */
export type MemberScope =
  | { readonly all: true }
  | { readonly all: false; readonly accountIds: readonly number[] };

/** The members of the accounts in scope, each once, by ascending id; deleted ones are left out. */
export async function listMembers(
  db: Database,
  scope: MemberScope,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<MemberRow[]> {
  const { members, memberships } = db.tables;
  if (!scope.all && scope.accountIds.length === 0) return [];
  const inScope = scope.all
    ? undefined
    : inArray(
        members.id,
        db
          .select({ id: memberships.memberId })
          .from(memberships)
          .where(
            and(
              inArray(memberships.accountId, [...scope.accountIds]),
              eq(memberships.isDeleted, false),
              eq(memberships.active, true),
              gt(memberships.memberId, afterId),
            ),
          ),
      );
  return db
    .select(memberColumns(db.tables))
    .from(members)
    .where(and(gt(members.id, afterId), eq(members.isDeleted, false), inScope))
    .orderBy(asc(members.id))
    .limit(limit);
}
