import { and, asc, count, eq, exists, gt, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import { startsWith } from './match-text.js';
import type { MemberScope } from './member-scope.js';
import { memberInScope } from './member-scope.js';
import { matchPeople, type PeopleSearch } from './search-people.js';

/** The readable columns of an affiliate, with those of the member. */
function affiliateColumns({ affiliates, members }: Tables) {
  const { memberId, code, commissionBasisPoints, payoutEmail, active, createdAtMs } = affiliates;
  const { username, firstName, lastName, email } = members;
  return {
    id: memberId,
    code,
    commissionBasisPoints,
    payoutEmail,
    active,
    createdAtMs,
    username,
    firstName,
    lastName,
    email,
  };
}

/** A member who recommends the service; the commission is in hundredths of a percent. */
export interface AffiliateRow {
  /** The member's id; a member is an affiliate at most once. */
  id: number;
  code: string;
  commissionBasisPoints: number;
  payoutEmail: string;
  active: boolean;
  createdAtMs: number;
  username: string;
  firstName: string;
  lastName: string;
  email: string | null;
}

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

/** The affiliates among the members in scope, found by name or by the beginning of their code. */
export async function searchAffiliates(
  db: Database,
  scope: MemberScope,
  search: PeopleSearch & { codeBegins?: string; afterId: number; limit: number },
): Promise<AffiliateRow[]> {
  const { affiliates, members } = db.tables;
  const { codeBegins, afterId, limit, ...texts } = search;
  return db
    .select(affiliateColumns(db.tables))
    .from(affiliates)
    .innerJoin(members, eq(members.id, affiliates.memberId))
    .where(
      and(
        gt(affiliates.memberId, afterId),
        eq(members.isDeleted, false),
        memberInScope(db, scope),
        codeBegins
          ? or(startsWith(affiliates.codeKey, codeBegins), matchPeople(db, texts))
          : matchPeople(db, texts),
      ),
    )
    .orderBy(asc(affiliates.memberId))
    .limit(limit);
}

/** The terms of an affiliate; the commission is in hundredths of a percent. */
export type AffiliateTerms = Pick<
  Tables['affiliates']['$inferSelect'],
  'code' | 'codeKey' | 'commissionBasisPoints' | 'payoutEmail' | 'active'
>;

/**
 * Makes a member an affiliate.
 * @throws DuplicateKeyError when the member is one already, or the code is another's
 */
export async function insertAffiliate(
  tx: Database,
  { nowMs, ...affiliate }: AffiliateTerms & { memberId: number; nowMs: number },
): Promise<void> {
  await tx.insert(tx.tables.affiliates, { ...affiliate, createdAtMs: nowMs, updatedAtMs: nowMs });
}

/**
 * Changes the terms of an affiliate. False when the member is not one.
 * @throws DuplicateKeyError when the code is another's
 */
export async function setAffiliate(
  tx: Database,
  { memberId, nowMs, ...terms }: Partial<AffiliateTerms> & { memberId: number; nowMs: number },
): Promise<boolean> {
  const { affiliates } = tx.tables;
  const rows = await tx.write(
    tx
      .update(affiliates)
      .set({ ...terms, updatedAtMs: nowMs })
      .where(eq(affiliates.memberId, memberId)),
  );
  return rows === 1;
}

/**
 * Records which affiliate's code a new member used, and returns the affiliate's id. Undefined, without a record,
 * when no active affiliate has the code.
 */
export async function insertReferral(
  tx: Database,
  { codeKey, memberId, nowMs }: { codeKey: string; memberId: number; nowMs: number },
): Promise<number | undefined> {
  const { affiliates, members, referrals } = tx.tables;
  const [affiliate] = await tx
    .select({ id: affiliates.memberId })
    .from(affiliates)
    .innerJoin(members, eq(members.id, affiliates.memberId))
    .where(and(eq(affiliates.codeKey, codeKey), eq(affiliates.active, true), eq(members.isDeleted, false)));
  if (affiliate === undefined) return undefined;
  await tx.insert(referrals, { memberId, affiliateId: affiliate.id, createdAtMs: nowMs });
  return affiliate.id;
}

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
interface ReferralCounts {
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
