import { and, asc, eq, exists, inArray, ne, notExists, or, sql } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { ARCHIVED } from '../archived.js';
import { given, prepareRead } from '../prepared.js';

const ADMIN = 0;

/** The lowest account of somebody who is no staff, in a session that no partner began: of nearly every sign-in. */
const findOwn = prepareRead<{ id: number }, { memberId: number }>((db) => {
  const { accounts, memberships } = db.tables;
  const { accountId, memberId, isDeleted, active, roleType } = memberships;
  const isOwn = and(
    eq(memberId, given(memberId, 'memberId')),
    eq(isDeleted, false),
    eq(active, true),
    ne(roleType, ARCHIVED),
  );
  const own = db.select({ id: accountId }).from(memberships).where(isOwn);
  return db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.isDeleted, false), inArray(accounts.id, own)))
    .orderBy(asc(accounts.id))
    .limit(1);
});

/**
 * The lowest account a member may act in, or null. A partner's session counts only accounts that partner
 * created, until the member consents to more.
 */
export async function findFirstAccountId(
  db: Database,
  member: { id: number; roleType: number; isPersonnel: boolean },
  partnerId: number | null,
): Promise<number | null> {
  if (!member.isPersonnel && partnerId === null)
    return (await findOwn(db, { memberId: member.id }))[0]?.id ?? null;
  const { accounts, memberships, personnelGrants, partnerMembers } = db.tables;
  const live = (row: typeof memberships | typeof personnelGrants) =>
    and(eq(row.isDeleted, false), eq(row.active, true));
  const membership = and(
    eq(memberships.memberId, member.id),
    eq(memberships.accountId, accounts.id),
    live(memberships),
  );
  const asMember = inArray(
    accounts.id,
    db
      .select({ id: memberships.accountId })
      .from(memberships)
      .where(and(eq(memberships.memberId, member.id), live(memberships), ne(memberships.roleType, ARCHIVED))),
  );
  const byGrant = and(
    inArray(
      accounts.id,
      db
        .select({ id: personnelGrants.accountId })
        .from(personnelGrants)
        .where(and(eq(personnelGrants.personnelId, member.id), live(personnelGrants))),
    ),
    notExists(db.select({ one: sql`1` }).from(memberships).where(membership)),
  );
  const reachable = member.isPersonnel ? or(asMember, byGrant) : asMember;
  const everyAccount = member.isPersonnel && member.roleType === ADMIN;
  const throughPartner =
    partnerId === null
      ? undefined
      : or(
          eq(accounts.createdByPartnerId, partnerId),
          exists(
            db
              .select({ one: sql`1` })
              .from(partnerMembers)
              .where(
                and(
                  eq(partnerMembers.partnerId, partnerId),
                  eq(partnerMembers.memberId, member.id),
                  sql`${partnerMembers.consentedAtMs} is not null`,
                ),
              ),
          ),
        );
  const [first] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.isDeleted, false), everyAccount ? undefined : reachable, throughPartner))
    .orderBy(asc(accounts.id))
    .limit(1);
  return first?.id ?? null;
}
