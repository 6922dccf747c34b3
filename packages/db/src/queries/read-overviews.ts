import { eq, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import { selectForeignIdsOf } from './foreign-ids.js';
import { selectMailCountOfMember, selectMailsOfMember } from './list-mails.js';
import { selectSessions } from './list-sessions.js';
import { selectLoginFailures } from './login-failures.js';
import { selectMembersOfAccount } from './member-lists.js';
import { type GivenAccounts, selectPlaceAmong, selectPlaces } from './member-places.js';
import type { MemberScope } from './member-scope.js';
import { idList } from './paging.js';
import { selectPartnersOfMember } from './partner-members.js';
import { selectGrantsOfAccount } from './personnel-grants.js';
import { type AccountDetail, accountDetailColumns } from './read-accounts.js';
import { selectConnectionSummaries } from './read-connections.js';
import { selectNewestInvitations } from './read-invitations.js';
import { type MemberDetail, memberDetailColumns } from './read-members.js';
import { ascendingBy, descendingBy, readTogether } from './read-together.js';
import { selectWebhooksOfAccount } from './read-webhooks.js';
import { selectOpenRecovery } from './recoveries.js';
import { selectSecurityEventCount, selectSecurityEvents } from './security-event-log.js';

/** An account with its owner and what it pays for. */
export interface AccountOverview extends AccountDetail {
  ownerUsername: string | null;
  ownerFirstName: string | null;
  ownerLastName: string | null;
  ownerEmail: string | null;
  isOwnerDeleted: boolean | null;
  /** Null if it pays no provider. */
  provider: string | null;
  plan: string | null;
}

/** The select of an account by id for staff, closed and deleted ones included. */
function selectAccountOverview(db: Database) {
  const { accounts, members, subscriptions } = db.tables;
  return db
    .select({
      ...accountDetailColumns(db.tables),
      ownerUsername: members.username,
      ownerFirstName: members.firstName,
      ownerLastName: members.lastName,
      ownerEmail: members.email,
      isOwnerDeleted: members.isDeleted,
      provider: subscriptions.provider,
      plan: subscriptions.plan,
    })
    .from(accounts)
    .leftJoin(members, eq(members.id, accounts.ownerId))
    .leftJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .where(eq(accounts.id, sql.placeholder('accountId')));
}

const readAccountParts = readTogether({
  accounts: { select: selectAccountOverview },
  members: { select: (db: Database) => selectMembersOfAccount(db), order: ascendingBy('id') },
  invitations: { select: selectNewestInvitations, order: descendingBy('id') },
  grants: { select: selectGrantsOfAccount, order: ascendingBy('personnelId') },
  webhooks: { select: selectWebhooksOfAccount, order: descendingBy('id') },
});

/**
 * An account for staff, closed and deleted ones included, with the beginning of each of its lists: members and grants by
 * their id, invitations and deliveries from the newest.
 */
export async function readAccountOverview(db: Database, accountId: number, limit: number) {
  return readAccountParts(db, { accountId, afterId: 0, limit });
}

/** A member with the facts that support staff need. */
export interface MemberOverview extends MemberDetail {
  passwordChangedAtMs: number | null;
  lastLoginAtMs: number | null;
  bannedRoleType: number | null;
  bannedAtMs: number | null;
  bannedById: number | null;
  banReason: string | null;
  /** Null unless they deleted themselves and are not erased yet. */
  erasesAtMs: number | null;
  /** The member of staff who deleted them, perhaps after they had deleted themselves. */
  deletedById: number | null;
  deletedAtMs: number | null;
  erasedAtMs: number | null;
  /** When a former member of staff was switched off. */
  personnelEndedAtMs: number | null;
  /** The partner that registered them. */
  partnerId: number | null;
  partnerName: string | null;
}

/** The select of a member by id for staff, deleted ones included. */
function selectMemberOverview(db: Database) {
  const { members, partners } = db.tables;
  const { id, passwordChangedAtMs } = members;
  const { lastLoginAtMs, erasesAtMs, deletedAtMs, erasedAtMs, personnelEndedAtMs, createdByPartnerId } =
    members;
  const { bannedRoleType, bannedAtMs, bannedById, banReason, deletedById } = members;
  const times = { lastLoginAtMs, erasesAtMs, deletedAtMs, erasedAtMs, personnelEndedAtMs };
  return db
    .select({
      ...memberDetailColumns(db.tables),
      passwordChangedAtMs,
      ...times,
      deletedById,
      bannedRoleType,
      bannedAtMs,
      bannedById,
      banReason,
      partnerId: createdByPartnerId,
      partnerName: partners.name,
    })
    .from(members)
    .leftJoin(partners, eq(partners.id, createdByPartnerId))
    .where(eq(id, sql.placeholder('memberId')));
}

const partsWithin = (given?: GivenAccounts) => ({
  members: { select: selectMemberOverview },
  failures: { select: selectLoginFailures },
  recoveries: { select: selectOpenRecovery },
  logins: {
    select: (db: Database) => selectSecurityEvents(db, { isOfOneKind: true }),
    order: descendingBy('id'),
  },
  loginCount: { select: selectSecurityEventCount },
  places: { select: (db: Database) => selectPlaces(db, given), order: ascendingBy('accountId') },
  foreignIds: { select: selectForeignIdsOf, order: ascendingBy('id') },
  connections: { select: selectConnectionSummaries, order: ascendingBy('id') },
  mails: { select: selectMailsOfMember, order: descendingBy('id') },
  mailCount: { select: selectMailCountOfMember },
  sessions: { select: (db: Database) => selectSessions(db), order: descendingBy('id') },
  partners: { select: (db: Database) => selectPartnersOfMember(db), order: ascendingBy('partnerId') },
});

const GIVEN_IDS = sql.placeholder('accountIds');

const readAll = readTogether(partsWithin());

const readMost = readTogether(partsWithin({ ids: GIVEN_IDS, are: 'out' }));

const readSome = readTogether({
  ...partsWithin({ ids: GIVEN_IDS, are: 'in' }),
  sighted: { select: (db: Database) => selectPlaceAmong(db, GIVEN_IDS) },
});

/**
 * A member for staff, deleted ones included, with the beginning of each of their lists: sign-ins, mails and sessions from
 * the newest, memberships by account, connections and partners from the oldest.
 * @param page `holder` is that of the member's failures in a row; the memberships are those in scope
 * @returns `hasPlace` says whether the member has a place in scope, or had one until they were deleted
 */
export async function readMemberOverview(
  db: Database,
  memberId: number,
  { scope, holder, nowMs, limit }: { scope: MemberScope; holder: string; nowMs: number; limit: number },
) {
  const values: Values = {
    memberId,
    holder,
    origin: '',
    nowMs,
    limit,
    kind: 'login',
    beforeId: Number.MAX_SAFE_INTEGER,
    afterId: 0,
    accountIds: undefined,
  };
  if (!scope.all) return readWithin(db, values, scope.accountIds);
  if (scope.except === undefined) return { lists: await readAll(db, values), hasPlace: true };
  values.accountIds = idList(db, [...scope.except]);
  return { lists: await readMost(db, values), hasPlace: true };
}

interface Values extends Record<string, unknown> {
  accountIds: string | readonly number[] | undefined;
}

async function readWithin(db: Database, values: Values, accountIds: readonly number[]) {
  values.accountIds = idList(db, accountIds);
  const lists = await readSome(db, values);
  return { lists, hasPlace: lists.sighted.length > 0 };
}
