import { and, asc, eq, inArray, isNotNull, lt, ne } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { banEnd, ENDLESS_MS } from '../access/ban-columns.js';

const OWNERS = [0, 1];
const MOST_OWNERS = 100;

/** The owners of an account with their mail addresses, at most a hundred. */
export async function listOwnersOfAccount(
  db: Database,
  accountId: number,
): Promise<{ memberId: number; email: string }[]> {
  const { members, memberships } = db.tables;
  const rows = await db
    .select({ memberId: members.id, email: members.email })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberships.memberId))
    .where(and(isLivePlace(db, accountId), inArray(memberships.roleType, OWNERS), isNotNull(members.email)))
    .orderBy(asc(members.id))
    .limit(MOST_OWNERS);
  return rows.flatMap(({ memberId, email }) => (email === null ? [] : [{ memberId, email }]));
}

/** Whether the account has another member who may sign in, now or after a ban has ended. */
export async function hasOtherMembers(
  db: Database,
  { accountId, memberId }: { accountId: number; memberId: number },
): Promise<boolean> {
  const { members, memberships } = db.tables;
  const [other] = await db
    .select({ id: members.id })
    .from(memberships)
    .innerJoin(members, eq(members.id, memberships.memberId))
    .where(and(isLivePlace(db, accountId), ne(members.id, memberId)))
    .limit(1);
  return other !== undefined;
}

function isLivePlace(db: Database, accountId: number) {
  const { members, memberships } = db.tables;
  return and(
    eq(memberships.accountId, accountId),
    eq(memberships.isDeleted, false),
    eq(memberships.active, true),
    eq(members.isDeleted, false),
    lt(banEnd(db.tables), ENDLESS_MS),
  );
}
