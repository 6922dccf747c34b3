import { and, desc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { SessionKind } from '../tables/session-tables.js';
import { familyOf, isOfFamily } from './find-token-state.js';
import { MAX_COUNTED } from './paging.js';
import { given, prepareRead } from './prepared.js';
import type { KeptSession } from './revoke-sessions.js';

/** A session as its owner sees it: the newest token of its family, under the number of the family. */
export interface SessionRow {
  /** The family. */
  id: number;
  tokenKey: string;
  kind: SessionKind;
  device: string;
  address: string;
  partnerId: number | null;
  createdAtMs: number;
  lastSeenAtMs: number;
  expiresAtMs: number;
  deviceName: string | null;
  amr: string | null;
  level: number;
  authTimeMs: number | null;
}

/** A member's open sessions, or those one partner began, newest first; `beforeId` pages on. */
export async function listSessions(
  db: Database,
  memberId: number,
  {
    nowMs,
    limit,
    beforeId = Number.MAX_SAFE_INTEGER,
    onlyPartnerId,
    onlySsoAccountId,
  }: {
    nowMs: number;
    limit: number;
    beforeId?: number;
    onlyPartnerId?: number | undefined;
    /** The account whose identity provider began them. */
    onlySsoAccountId?: number | undefined;
  },
): Promise<SessionRow[]> {
  const page = { memberId, nowMs, beforeId, limit };
  return onlyPartnerId === undefined && onlySsoAccountId === undefined
    ? preparedSessions(db, page)
    : selectSessions(db, onlyPartnerId, onlySsoAccountId).prepare().execute(page);
}

const preparedSessions = prepareRead((db) => selectSessions(db));

/** The select of a page of a member's open sessions. */
export function selectSessions(db: Database, onlyPartnerId?: number, onlySsoAccountId?: number) {
  const { members, sessions, ssoLogins } = db.tables;
  const ofAccount =
    onlySsoAccountId === undefined
      ? undefined
      : inArray(
          sessions.ssoLoginId,
          db.select({ id: ssoLogins.id }).from(ssoLogins).where(eq(ssoLogins.accountId, onlySsoAccountId)),
        );
  const { tokenKey, kind, device, address, partnerId, createdAtMs, lastSeenAtMs, expiresAtMs } = sessions;
  const { deviceName, amr, level, authTimeMs } = sessions;
  const id = familyOf(db.tables);
  const times = { createdAtMs, lastSeenAtMs, expiresAtMs, authTimeMs };
  return db
    .select({ id, tokenKey, kind, device, address, partnerId, deviceName, amr, level, ...times })
    .from(sessions)
    .innerJoin(members, and(eq(members.id, sessions.memberId), eq(members.sessionEpoch, sessions.epoch)))
    .where(
      and(
        eq(sessions.memberId, sql.placeholder('memberId')),
        isNull(sessions.endedAtMs),
        isNull(sessions.retiresAtMs),
        gt(sessions.expiresAtMs, sql.placeholder('nowMs')),
        lt(id, sql.placeholder('beforeId')),
        onlyPartnerId === undefined ? undefined : eq(sessions.partnerId, onlyPartnerId),
        ofAccount,
      ),
    )
    .orderBy(desc(id))
    .limit(sql.placeholder('limit'));
}

/** How many open sessions a member has, at most `MAX_COUNTED`. */
export async function countSessions(db: Database, memberId: number, nowMs: number): Promise<number> {
  const rows = await listSessions(db, memberId, { nowMs, limit: MAX_COUNTED });
  return rows.length;
}

/** Where and when a session began. */
export interface RecentSession {
  id: number;
  address: string;
  device: string;
  createdAtMs: number;
}

const preparedRecentSessions = prepareRead<RecentSession, { memberId: number; limit: number }>((db) => {
  const { sessions } = db.tables;
  const { id, address, device, createdAtMs, memberId } = sessions;
  return db
    .select({ id, address, device, createdAtMs })
    .from(sessions)
    .where(eq(memberId, given(memberId, 'memberId')))
    .orderBy(desc(id))
    .limit(sql.placeholder('limit'));
});

/** The newest sessions of a member, ended ones included. */
export function listRecentSessions(
  db: Database,
  recent: { memberId: number; limit: number },
): Promise<RecentSession[]> {
  return preparedRecentSessions(db, recent);
}

/** Who signed in, and from where. */
export interface NewestSignIn {
  memberId: number;
  address: string;
}

/** The newest sessions of all members, at most `limit`, without those that a partner began. */
export function listNewestSignIns(db: Database, limit: number): Promise<NewestSignIn[]> {
  const { id, memberId, address, partnerId } = db.tables.sessions;
  return db
    .select({ memberId, address })
    .from(db.tables.sessions)
    .where(isNull(partnerId))
    .orderBy(desc(id))
    .limit(limit);
}

/** A member's open session, in the form `endAllSessions` keeps. */
export async function findOpenSession(
  db: Database,
  { memberId, sessionId }: { memberId: number; sessionId: number },
): Promise<KeptSession | undefined> {
  const { sessions } = db.tables;
  const { tokenKey, kind, device, address, partnerId, expiresAtMs, verifiedAtMs } = sessions;
  const { verifiedLevel, amr, level, authTimeMs } = sessions;
  const verification = { verifiedAtMs, verifiedLevel, amr, level, authTimeMs };
  const [row] = await db
    .select({
      tokenKey,
      kind,
      device,
      address,
      partnerId,
      expiresAtMs,
      ...verification,
      familyId: familyOf(db.tables),
    })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.memberId, memberId), isNull(sessions.endedAtMs)));
  return row;
}

/** The token of a session and whose it is, for staff who ask about it. */
export interface SessionKey {
  memberId: number;
  tokenKey: string;
  createdAtMs: number;
  impersonationId: number | null;
}

/** The key of the newest token of a session, by the number of its family. */
export async function findNewestTokenKey(
  db: Database,
  { memberId, familyId }: { memberId: number; familyId: number },
): Promise<string | undefined> {
  const { sessions } = db.tables;
  const [row] = await db
    .select({ tokenKey: sessions.tokenKey })
    .from(sessions)
    .where(and(eq(sessions.memberId, memberId), isOfFamily(db.tables, familyId)))
    .orderBy(desc(sessions.id))
    .limit(1);
  return row?.tokenKey;
}

/** The session with this id; undefined for one that was removed. */
export async function findSessionKey(db: Database, sessionId: number): Promise<SessionKey | undefined> {
  const { sessions } = db.tables;
  const { memberId, tokenKey, createdAtMs, impersonationId } = sessions;
  const [row] = await db
    .select({ memberId, tokenKey, createdAtMs, impersonationId })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  return row;
}
