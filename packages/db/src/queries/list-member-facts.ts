import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { banEnd, type MemberStatus, statusOf } from './member-columns.js';
import { inAccountScope, type MemberScope } from './member-scope.js';
import { inIds } from './paging.js';

/** What staff see of each member in a list, besides who they are. */
export interface MemberFacts {
  readonly status: MemberStatus;
  /** Whether every sign-in takes a second step. */
  readonly secondFactor: boolean;
  readonly lastLoginAtMs: number | null;
  /** The first of the accounts in scope that they are in; null without one. */
  readonly account: { readonly id: number; readonly name: string } | null;
  /** How many such accounts there are. */
  readonly accountCount: number;
}

/** These facts of some members, by their ids. */
export async function listMemberFacts(
  db: Database,
  { ids, scope, nowMs }: { ids: readonly number[]; scope: MemberScope; nowMs: number },
): Promise<ReadonlyMap<number, MemberFacts>> {
  if (ids.length === 0) return new Map();
  const { members } = db.tables;
  const { id, secondFactor, lastLoginAtMs, isDeleted, erasesAtMs } = members;
  const [rows, places] = await Promise.all([
    db
      .select({ id, secondFactor, lastLoginAtMs, isDeleted, erasesAtMs, bannedUntilMs: banEnd(db.tables) })
      .from(members)
      .where(inIds(db, id, ids)),
    listFirstPlaces(db, ids, scope),
  ]);
  const firstOf = new Map(places.map((place) => [place.memberId, place]));
  return new Map(
    rows.map((row) => {
      const place = firstOf.get(row.id);
      return [
        row.id,
        {
          status: statusOf(row, nowMs),
          secondFactor: row.secondFactor,
          lastLoginAtMs: row.lastLoginAtMs,
          account: place === undefined ? null : { id: place.accountId, name: place.name },
          accountCount: place?.count ?? 0,
        },
      ];
    }),
  );
}

/** The first place of each member by account id, with how many there are. */
async function listFirstPlaces(db: Database, ids: readonly number[], scope: MemberScope) {
  const { memberships, accounts } = db.tables;
  const { memberId } = memberships;
  const ranked = db
    .select({
      memberId,
      accountId: accounts.id,
      name: accounts.name,
      place: sql<number>`row_number() over (partition by ${memberId} order by ${accounts.id})`.as('place'),
      count: sql<number>`count(*) over (partition by ${memberId})`.mapWith(Number).as('count'),
    })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(
      and(
        inIds(db, memberId, ids),
        eq(memberships.isDeleted, false),
        eq(memberships.active, true),
        eq(accounts.isDeleted, false),
        inAccountScope(db, accounts.id, scope),
      ),
    )
    .as('ranked');
  return db
    .select({
      memberId: ranked.memberId,
      accountId: ranked.accountId,
      name: ranked.name,
      count: ranked.count,
    })
    .from(ranked)
    .where(sql`${ranked.place} = 1`)
    .orderBy(asc(ranked.memberId));
}
