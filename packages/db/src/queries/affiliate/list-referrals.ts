import { and, asc, count, eq, exists, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { memberInScope } from '../member/member-in-scope.js';
import type { MemberScope } from '../membership/member-scope.js';

/** A member who registered with the code of an affiliate. */
export interface ReferralRow {
  /** The member's id. */
  id: number;
  username: string;
  createdAtMs: number;
  emailConfirmedAtMs: number | null;
  isPaying: boolean;
}

/** The counts of an affiliate's referrals, by stage. */
export interface ReferralCounts {
  registered: number;
  confirmed: number;
  paying: number;
}

/** An affiliate's referrals in scope, by ascending id; `afterId` pages on. */
export async function listReferrals(
  db: Database,
  scope: MemberScope,
  page: { affiliateId: number; afterId: number; limit: number },
): Promise<ReferralRow[]> {
  const { referrals, members } = db.tables;
  const rows = await db
    .select({
      id: members.id,
      username: members.username,
      createdAtMs: referrals.createdAtMs,
      emailConfirmedAtMs: members.emailConfirmedAtMs,
      paying: sql<number>`case when ${pays(db)} then 1 else 0 end`.mapWith(Number),
    })
    .from(referrals)
    .innerJoin(members, eq(members.id, referrals.memberId))
    .where(and(broughtBy(db, scope, page.affiliateId), gt(referrals.memberId, page.afterId)))
    .orderBy(asc(referrals.memberId))
    .limit(page.limit);
  return rows.map(({ paying, ...row }) => ({ isPaying: paying === 1, ...row }));
}

/** Counts the members in scope that an affiliate referred. */
export async function countReferrals(
  db: Database,
  scope: MemberScope,
  affiliateId: number,
): Promise<ReferralCounts> {
  const { referrals, members } = db.tables;
  const among = async (condition?: SQL) => {
    const [row] = await db
      .select({ rows: count() })
      .from(referrals)
      .innerJoin(members, eq(members.id, referrals.memberId))
      .where(and(broughtBy(db, scope, affiliateId), condition));
    return row?.rows ?? 0;
  };
  const [registered, confirmed, paying] = await Promise.all([
    among(),
    among(isNotNull(members.emailConfirmedAtMs)),
    among(pays(db)),
  ]);
  return { registered, confirmed, paying };
}

function broughtBy(db: Database, scope: MemberScope, affiliateId: number): SQL | undefined {
  const { referrals, members } = db.tables;
  return and(eq(referrals.affiliateId, affiliateId), eq(members.isDeleted, false), memberInScope(db, scope));
}

/** True for members who own an account with a paid subscription. */
function pays(db: Database): SQL {
  const { members, accounts, subscriptions } = db.tables;
  return exists(
    db
      .select({ one: sql`1` })
      .from(accounts)
      .innerJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
      .where(
        and(
          eq(accounts.ownerId, members.id),
          eq(accounts.isDeleted, false),
          eq(subscriptions.state, 'active'),
        ),
      ),
  );
}
