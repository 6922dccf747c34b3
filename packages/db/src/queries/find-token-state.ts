import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import { prepareRead } from './prepared.js';

/** The session row that a login created for its token. */
export interface SessionState {
  id: number;
  memberId: number;
  epoch: number;
  endedAtMs: number | null;
  expiresAtMs: number;
  partnerId: number | null;
  /** When the user of the session last verified that they are the member. */
  verifiedAtMs: number | null;
  /** The level of that verification. */
  verifiedLevel: number;
  /** How the session was authenticated, separated by blanks; null where that is not known. */
  amr: string | null;
  /** The highest level reached in the session. */
  level: number;
  /** When the user signed in; null where that is not known. */
  authTimeMs: number | null;
  /** The family it belongs to: the first row of the chain of refreshed tokens. */
  familyId: number;
  /** When the family ends however often it is refreshed; null where that is not known. */
  absoluteUntilMs: number | null;
  /** When this token ends because it was refreshed. */
  retiresAtMs: number | null;
  /** When it was last used, true to the minute. */
  lastSeenAtMs: number;
  /** The recovery whose ticket began it; it may then only add a second factor. */
  recoveryId: number | null;
  /** The identity-provider sign-in that it belongs to; `gone` if that ended. Null for other sessions. */
  sso: KnownSsoLogin | 'gone' | null;
  /** Set where staff act for the member in it. */
  impersonation: KnownImpersonation | null;
}

/** What decides about the session of an impersonation. */
export type KnownImpersonation = Pick<
  Tables['impersonations']['$inferSelect'],
  'id' | 'actorId' | 'actorEpoch' | 'accountId' | 'mayWrite'
>;

/** What decides about a session that an identity provider began. */
export type KnownSsoLogin = Pick<
  Tables['ssoLogins']['$inferSelect'],
  'id' | 'connectionId' | 'accountId' | 'subjectId' | 'epoch' | 'level'
>;

/** The state of one token in the database. */
export interface TokenState {
  isRevoked: boolean;
  /** Absent for one-use tokens and for tokens of the replaced system. */
  session: SessionState | undefined;
}

/** Ids start at 1, so 0 marks a revocation. */
const REVOCATION = 0;

const prepared = prepareRead((db) => {
  const { sessions, impersonations, revocations, ssoLogins } = db.tables;
  const { id, memberId, epoch, endedAtMs, expiresAtMs, partnerId, verifiedAtMs, impersonationId } = sessions;
  const { absoluteUntilMs, retiresAtMs, lastSeenAtMs } = sessions;
  const family = { familyId: familyOf(db.tables), absoluteUntilMs, retiresAtMs, lastSeenAtMs };
  const { verifiedLevel, amr, level, authTimeMs, recoveryId } = sessions;
  const verification = { verifiedAtMs, verifiedLevel, amr, level, authTimeMs, recoveryId };
  const { actorId, actorEpoch, accountId, mayWrite } = impersonations;
  const acting = { impersonationId, actorId, actorEpoch, accountId, mayWrite };
  const fed = {
    ssoLoginId: sessions.ssoLoginId,
    connectionId: ssoLogins.connectionId,
    ssoAccountId: ssoLogins.accountId,
    ssoSubjectId: ssoLogins.subjectId,
    connectionEpoch: ssoLogins.epoch,
    ssoLevel: ssoLogins.level,
  };
  const tokenKey = sql.placeholder('tokenKey');
  const zero = sql<number>`${sql.raw(String(REVOCATION))}`;
  const none = sql<number | null>`null`;
  const noText = sql<string | null>`null`;
  return db
    .select({
      id,
      memberId,
      epoch,
      endedAtMs,
      expiresAtMs,
      partnerId,
      ...verification,
      ...family,
      ...acting,
      ...fed,
    })
    .from(sessions)
    .leftJoin(impersonations, eq(impersonations.id, impersonationId))
    .leftJoin(ssoLogins, and(eq(ssoLogins.id, sessions.ssoLoginId), eq(ssoLogins.memberId, memberId)))
    .where(eq(sessions.tokenKey, tokenKey))
    .unionAll(
      db
        .select({
          id: zero,
          memberId: zero,
          epoch: zero,
          endedAtMs: none,
          expiresAtMs: revocations.expiresAtMs,
          partnerId: none,
          verifiedAtMs: none,
          verifiedLevel: zero,
          amr: noText,
          level: zero,
          authTimeMs: none,
          recoveryId: none,
          familyId: zero,
          absoluteUntilMs: none,
          retiresAtMs: none,
          lastSeenAtMs: zero,
          impersonationId: none,
          actorId: none,
          actorEpoch: none,
          accountId: none,
          mayWrite: sql<boolean | null>`null`,
          ssoLoginId: none,
          connectionId: none,
          ssoAccountId: none,
          ssoSubjectId: none,
          connectionEpoch: none,
          ssoLevel: none,
        })
        .from(revocations)
        .where(eq(revocations.tokenKey, tokenKey)),
    );
});

/** Whether a token was revoked, and the session it belongs to, in one read. */
export async function findTokenState(db: Database, tokenKey: string): Promise<TokenState> {
  const rows = await prepared(db, { tokenKey });
  const session = rows.find(({ id }) => id !== REVOCATION);
  return {
    isRevoked: rows.some(({ id }) => id === REVOCATION),
    session: session && toSessionState(session),
  };
}

type SessionRow = Awaited<ReturnType<typeof prepared>>[number];

function toSessionState(row: SessionRow): SessionState {
  const { id, memberId, epoch, endedAtMs, expiresAtMs, partnerId, verifiedAtMs } = row;
  const { familyId, absoluteUntilMs, retiresAtMs, lastSeenAtMs } = row;
  const { verifiedLevel, amr, level, authTimeMs, recoveryId } = row;
  const { impersonationId, actorId, actorEpoch, accountId, mayWrite } = row;
  // An impersonation without a row has no actor, so nobody can act in it.
  const impersonation =
    impersonationId === null
      ? null
      : {
          id: impersonationId,
          actorId: actorId ?? 0,
          actorEpoch: actorEpoch ?? 0,
          accountId,
          mayWrite: mayWrite === true,
        };
  const verification = { verifiedAtMs, verifiedLevel, amr, level, authTimeMs, recoveryId };
  const family = { familyId, absoluteUntilMs, retiresAtMs, lastSeenAtMs };
  return {
    id,
    memberId,
    epoch,
    endedAtMs,
    expiresAtMs,
    partnerId,
    sso: ssoOf(row),
    impersonation,
    ...verification,
    ...family,
  };
}

function ssoOf(row: SessionRow): SessionState['sso'] {
  const {
    ssoLoginId: id,
    connectionId,
    ssoAccountId: accountId,
    ssoSubjectId: subjectId,
    connectionEpoch: epoch,
    ssoLevel: level,
    impersonationId,
  } = row;
  // The sign-in of an impersonation is that of its actor.
  if (id === null || impersonationId !== null) return null;
  if (connectionId === null || accountId === null || subjectId === null) return 'gone';
  if (epoch === null || level === null) return 'gone';
  return { id, connectionId, accountId, subjectId, epoch, level };
}

/** The family of a session's row: the first row of the chain of refreshed tokens, which may be the row itself. */
export function familyOf({ sessions }: Pick<Database['tables'], 'sessions'>): SQL<number> {
  return sql<number>`coalesce(${sessions.familyId}, ${sessions.id})`.mapWith(sessions.id);
}

/** Whether a row belongs to a family. Combine it with the member, whose index finds the rows. */
export function isOfFamily(tables: Pick<Database['tables'], 'sessions'>, familyId: number): SQL {
  return sql`${familyOf(tables)} = ${familyId}`;
}
