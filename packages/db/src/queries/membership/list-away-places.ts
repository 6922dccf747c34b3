import { and, asc, eq, gt, isNull, or } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { isReturning } from './returning-places.js';

/** A membership that gives no access now, and the member. */
export interface AwayPlace {
  memberId: number;
  username: string;
  firstName: string;
  lastName: string;
  email: string | null;
  roleType: number;
  customRoleId: number | null;
  /** Whether it gives access again once the member is restored. */
  active: boolean;
  isDeleted: boolean;
  /** The member of staff who deleted the member. */
  deletedById: number | null;
  /** When a member who deleted themselves is erased; null for others. */
  erasesAtMs: number | null;
}

/**
 * The memberships of an account that await an owner's approval, and those that come back if their deleted member is restored, by
 * ascending member id; `afterId` pages on.
 * @param page `removedSinceMs` is the earliest deletion by staff that staff can undo
 */
export function listAwayPlaces(
  db: Database,
  accountId: number,
  page: { afterId: number; limit: number; removedSinceMs: number; nowMs: number },
): Promise<AwayPlace[]> {
  const { members, memberships } = db.tables;
  const { username, firstName, lastName, email, isDeleted, deletedAtMs, deletedById, erasesAtMs } = members;
  const { memberId, roleType, customRoleId, active } = memberships;
  const isWaiting = and(
    eq(memberships.isDeleted, false),
    eq(active, false),
    eq(memberships.awaitsOwner, true),
    eq(members.isDeleted, false),
  );
  const mayReturn = or(
    gt(erasesAtMs, page.nowMs),
    and(isNull(erasesAtMs), isNull(members.erasedAtMs), gt(deletedAtMs, page.removedSinceMs)),
  );
  return db
    .select({
      memberId,
      username,
      firstName,
      lastName,
      email,
      roleType,
      customRoleId,
      active,
      isDeleted,
      deletedById,
      erasesAtMs,
    })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberId))
    .where(
      and(
        eq(memberships.accountId, accountId),
        gt(memberId, page.afterId),
        or(isWaiting, and(isReturning(db), mayReturn)),
      ),
    )
    .orderBy(asc(memberId))
    .limit(page.limit);
}
