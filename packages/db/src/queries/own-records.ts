import { and, asc, eq, gt, inArray, isNotNull, not, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccountSso } from '../tables/account-tables.js';
import type { Tables } from '../tables/define-tables.js';
import { asksMore } from './account-policy.js';
import { baseRole } from './member-columns.js';

/** The member and the records of an export query. */
interface RecordPage {
  memberId: number;
  /** The key of the member's proven address; null without one. */
  emailKey: string | null;
  /** The level of the session that exports. Content of accounts that require a higher one is left out. */
  level: number;
  nowMs: number;
  /** Accounts whose required identity provider did not begin it. Their content is left out too. */
  lackingSso: readonly number[];
  afterId: number;
  limit: number;
}

/** A record of a member, by column names. */
export type OwnRecord = Readonly<Record<string, unknown>> & { readonly id: number };

type Exporting = Pick<RecordPage, 'level' | 'nowMs' | 'lackingSso'>;

/** True for accounts whose content is left out of the export of a session. */
function isWithheld(tables: Tables, { lackingSso, ...session }: Exporting): SQL | undefined {
  const lacks = lackingSso.length === 0 ? undefined : inArray(tables.accounts.id, [...lackingSso]);
  return or(asksMore(tables, session), lacks);
}

/** The accounts a member is or was in that have single sign-on. */
export async function listSsoOfPlaces(
  db: Database,
  memberId: number,
): Promise<{ id: number; sso: AccountSso | null }[]> {
  const { accounts, memberships: places } = db.tables;
  return db
    .select({ id: accounts.id, sso: accounts.sso })
    .from(places)
    .innerJoin(accounts, eq(accounts.id, places.accountId))
    .where(and(eq(places.memberId, memberId), isNotNull(accounts.sso)));
}

/** The accounts a member is or was in whose content is left out, by ascending id; at most `limit`. */
export async function listWithheldAccounts(
  db: Database,
  { memberId, limit, ...session }: Exporting & Pick<RecordPage, 'memberId' | 'limit'>,
): Promise<number[]> {
  const { accounts, memberships: places } = db.tables;
  const rows = await db
    .select({ id: accounts.id })
    .from(places)
    .innerJoin(accounts, eq(accounts.id, places.accountId))
    .where(and(eq(places.memberId, memberId), isWithheld(db.tables, session)))
    .orderBy(asc(accounts.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** True for rows, joined to their account, that the session may see. */
function isOpened({ tables }: Database, session: Exporting): SQL | undefined {
  const isRefused = isWithheld(tables, session);
  return isRefused && not(isRefused);
}

type ListRecords = (db: Database, page: RecordPage) => Promise<OwnRecord[]>;

const profile: ListRecords = async (db, { memberId, afterId }) => {
  const { members } = db.tables;
  const { id, sid, username, firstName, lastName, email, emailConfirmedAtMs, pendingEmail } = members;
  const {
    pendingSinceMs: pendingSinceAtMs,
    pendingEffectiveAtMs,
    role,
    isPersonnel,
    personnelEndedAtMs,
    locale,
  } = members;
  const roleType = baseRole(db.tables);
  const { hasPassword, passwordChangedAtMs, ownerProvenAtMs, createdByPartnerId, lastLoginAtMs } = members;
  const { bannedAtMs, bannedUntilMs: bannedUntilAtMs, banReason, createdAtMs, updatedAtMs } = members;
  const { secondFactor, emailStep } = members;
  const names = { id, sid, username, firstName, lastName, email, emailConfirmedAtMs, pendingEmail };
  const state = {
    pendingSinceAtMs,
    pendingEffectiveAtMs,
    roleType,
    role,
    isPersonnel,
    personnelEndedAtMs,
    locale,
  };
  const history = { hasPassword, passwordChangedAtMs, ownerProvenAtMs, createdByPartnerId, lastLoginAtMs };
  const steps = { secondFactor, emailStep };
  return db
    .select({
      ...names,
      ...state,
      ...history,
      ...steps,
      bannedAtMs,
      bannedUntilAtMs,
      banReason,
      createdAtMs,
      updatedAtMs,
    })
    .from(members)
    .where(and(eq(id, memberId), gt(id, afterId)));
};

/** Without the kind, which is the same for all of a member's. */
const foreignIds: ListRecords = async (db, { memberId, afterId, limit }) => {
  const { foreignIds: rows } = db.tables;
  const { id, source, foreignId, createdAtMs } = rows;
  return db
    .select({ id, source, foreignId, createdAtMs })
    .from(rows)
    .where(and(eq(rows.memberId, memberId), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
};

const memberships: ListRecords = async (db, { memberId, level, nowMs, lackingSso, afterId, limit }) => {
  const { accounts, memberships: places } = db.tables;
  const { id, accountId, roleType, customRoleId, isDeleted, active, createdAtMs, updatedAtMs } = places;
  const rows = await db
    .select({
      id,
      accountId,
      // Its current name is hidden from people who no longer belong to it, or whose session it refuses.
      accountName: sql<
        string | null
      >`case when ${isDeleted} or ${isWithheld(db.tables, { level, nowMs, lackingSso })} then null else ${accounts.name} end`,
      ownerId: accounts.ownerId,
      roleType,
      customRoleId,
      isDeleted,
      active,
      createdAtMs,
      updatedAtMs,
    })
    .from(places)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(and(eq(places.memberId, memberId), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
  return rows.map(({ ownerId, ...row }) => ({ isPrimaryOwner: ownerId === memberId, ...row }));
};

const grants: ListRecords = async (db, { memberId, afterId, limit }) => {
  const { id, personnelId, accountId, isDeleted, active, createdAtMs } = db.tables.personnelGrants;
  return db
    .select({ id, accountId, isDeleted, active, createdAtMs })
    .from(db.tables.personnelGrants)
    .where(and(eq(personnelId, memberId), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
};

const sessions: ListRecords = async (db, { memberId, afterId, limit }) => {
  const { sessions: rows } = db.tables;
  const { id, kind, device, address, partnerId, createdAtMs, lastSeenAtMs, expiresAtMs, endedAtMs } = rows;
  const { amr, level, deviceName, authTimeMs } = rows;
  const times = { createdAtMs, lastSeenAtMs, expiresAtMs, endedAtMs, authTimeMs };
  return db
    .select({ id, kind, device, deviceName, address, partnerId, amr, level, ...times })
    .from(rows)
    .where(and(eq(rows.memberId, memberId), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
};

const events: ListRecords = async (db, { memberId, afterId, limit }) => {
  const { securityEvents } = db.tables;
  const { id, atMs, kind, outcome, address, device, times } = securityEvents;
  return db
    .select({ id, atMs, kind, outcome, address, device, times })
    .from(securityEvents)
    .where(and(eq(securityEvents.memberId, memberId), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
};

const connections: ListRecords = async (db, { memberId, afterId, limit }) => {
  const { socialConnections } = db.tables;
  const { id, providerId, providerUserId, email, displayName, tokenStatus, scopes } = socialConnections;
  const { fbAccounts, igAccounts, lnAccounts, twtAccounts, detail, createdAtMs, updatedAtMs } =
    socialConnections;
  const identity = { id, providerId, providerUserId, email, displayName, tokenStatus, scopes };
  return db
    .select({
      ...identity,
      fbAccounts,
      igAccounts,
      lnAccounts,
      twtAccounts,
      detail,
      createdAtMs,
      updatedAtMs,
    })
    .from(socialConnections)
    .where(and(eq(socialConnections.memberId, memberId), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
};

/** Without the secret. */
const factors: ListRecords = async (db, { memberId, afterId, limit }) => {
  const { totpFactors } = db.tables;
  const { id, createdAtMs, confirmedAtMs } = totpFactors;
  return db
    .select({ id, createdAtMs, confirmedAtMs })
    .from(totpFactors)
    .where(and(eq(totpFactors.memberId, memberId), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
};

/** Without the public key and the credential's id. */
const passkeys: ListRecords = async (db, { memberId, afterId, limit }) => {
  const { passkeys: rows } = db.tables;
  const { id, name, rpId, backedUp, transports, createdAtMs, lastUsedAtMs, suspectAtMs } = rows;
  return db
    .select({ id, name, rpId, backedUp, transports, createdAtMs, lastUsedAtMs, suspectAtMs })
    .from(rows)
    .where(and(eq(rows.memberId, memberId), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
};

const invitations: ListRecords = async (db, { emailKey, afterId, limit }) => {
  if (emailKey === null) return [];
  const { invitations: rows } = db.tables;
  const { id, accountId, email, roleType, status, createdAtMs, expiresAtMs, endedAtMs } = rows;
  return db
    .select({ id, accountId, email, roleType, status, createdAtMs, expiresAtMs, endedAtMs })
    .from(rows)
    .where(and(eq(rows.emailKey, emailKey), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
};

/** Without network addresses, which belong to other people. */
const invitationsSent: ListRecords = async (db, { memberId, afterId, limit, ...session }) => {
  const { accounts, invitations: rows } = db.tables;
  const { id, accountId, roleType, status, createdAtMs, expiresAtMs, endedAtMs } = rows;
  return db
    .select({ id, accountId, roleType, status, createdAtMs, expiresAtMs, endedAtMs })
    .from(rows)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(and(eq(rows.inviterId, memberId), gt(id, afterId), isOpened(db, session)))
    .orderBy(asc(id))
    .limit(limit);
};

const consents: ListRecords = async (db, { memberId, afterId, limit }) => {
  const { partnerMembers, partners } = db.tables;
  const { id, partnerId, linkedAtMs, consentedAtMs, heldSinceMs: heldSinceAtMs } = partnerMembers;
  return db
    .select({ id, partnerId, partnerName: partners.name, linkedAtMs, consentedAtMs, heldSinceAtMs })
    .from(partnerMembers)
    .innerJoin(partners, eq(partners.id, partnerId))
    .where(and(eq(partnerMembers.memberId, memberId), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
};

const applications: ListRecords = async (db, { memberId, afterId, limit }) => {
  const { applications: rows, consents: given } = db.tables;
  const { id, applicationId, accountId, resourceId, scopes, createdAtMs, updatedAtMs } = given;
  return db
    .select({ id, applicationId, name: rows.name, accountId, resourceId, scopes, createdAtMs, updatedAtMs })
    .from(given)
    .innerJoin(rows, eq(rows.id, applicationId))
    .where(and(eq(given.memberId, memberId), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
};

const affiliations: ListRecords = async (db, { memberId, afterId, limit }) => {
  const { affiliates } = db.tables;
  const { id, code, commissionBasisPoints, payoutEmail, active, createdAtMs, updatedAtMs } = affiliates;
  return db
    .select({ id, code, commissionBasisPoints, payoutEmail, active, createdAtMs, updatedAtMs })
    .from(affiliates)
    .where(and(eq(affiliates.memberId, memberId), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
};

const referrals: ListRecords = async (db, { memberId, afterId, limit }) => {
  const { referrals: rows } = db.tables;
  const { id, affiliateId, createdAtMs } = rows;
  return db
    .select({ id, affiliateId, createdAtMs })
    .from(rows)
    .where(and(eq(rows.memberId, memberId), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit);
};

const conversations: ListRecords = async (db, { memberId, afterId, limit, ...session }) => {
  const { accounts, conversations: talks, participants } = db.tables;
  const { id, conversationId, joinedAtMs } = participants;
  return db
    .select({ id, conversationId, joinedAtMs })
    .from(participants)
    .innerJoin(talks, eq(talks.id, conversationId))
    .innerJoin(accounts, eq(accounts.id, talks.accountId))
    .where(and(eq(participants.memberId, memberId), gt(id, afterId), isOpened(db, session)))
    .orderBy(asc(id))
    .limit(limit);
};

const messages: ListRecords = async (db, { memberId, afterId, limit, ...session }) => {
  const { accounts, conversations: talks, messages: rows } = db.tables;
  const { id, conversationId, body, createdAtMs } = rows;
  return db
    .select({ id, conversationId, body, createdAtMs })
    .from(rows)
    .innerJoin(talks, eq(talks.id, conversationId))
    .innerJoin(accounts, eq(accounts.id, talks.accountId))
    .where(and(eq(rows.memberId, memberId), gt(id, afterId), isOpened(db, session)))
    .orderBy(asc(id))
    .limit(limit);
};

/**
 * All data of which a member may have a copy, in the order of the export. No secrets, and no data of others.
 */
export const OWN_RECORDS = {
  profile,
  foreignIds,
  memberships,
  grants,
  sessions,
  events,
  connections,
  factors,
  passkeys,
  invitations,
  invitationsSent,
  consents,
  applications,
  affiliations,
  referrals,
  conversations,
  messages,
} as const satisfies Record<string, ListRecords>;
