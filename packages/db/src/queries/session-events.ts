import { randomBytes } from 'node:crypto';
import { and, asc, eq, exists, gt, isNull, like, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { EventActorKind } from '../tables/event-tables.js';
import type { SessionKind } from '../tables/session-tables.js';
import { queueLogouts } from './application-logins.js';
import type { AccessTransaction } from './change-access.js';
import { DEPLOYMENT_SCOPE } from './event-endpoints.js';
import { familyOf } from './find-token-state.js';
import { lockRows } from './lock-rows.js';
import { inIds } from './paging.js';

/** Why a session ended. One that expires has no event. */
export const SESSION_END_REASONS = [
  'signed_out',
  'replaced',
  'revoked',
  'password_changed',
  'factor_changed',
  'address_changed',
  'role_changed',
  'banned',
  'removed',
  'taken_over',
  'recovery_ended',
  'partner_ended',
] as const;

export type SessionEndReason = (typeof SESSION_END_REASONS)[number];

/** Why sessions end now, and who ends them. */
export interface SessionEnd {
  readonly reason: SessionEndReason;
  /** Null if nobody in particular does. */
  readonly endedById: number | null;
  readonly nowMs: number;
}

/** Events of sessions are in no feed of an account or a partner. */
const AUDIENCE = { accounts: [], partners: [] } as const;

const SCHEMA_VERSION = 1;

const SESSIONS_AT_ONCE = 500;

/**
 * Whether an active endpoint of the deployment subscribes to events of sessions: they are written only then. A disabled one is
 * included: when it is resumed, it may be sent what it missed.
 */
export function areSessionsHeard(db: Database): SQL<boolean> {
  const { id, scope, active, types } = db.tables.eventEndpoints;
  const hears = and(eq(scope, DEPLOYMENT_SCOPE), eq(active, true), like(types, '%"session.%'));
  const heard = exists(db.select({ id }).from(db.tables.eventEndpoints).where(hears));
  return sql<boolean>`${heard}`.mapWith(Boolean);
}

interface ToldSession {
  readonly sessionId: number;
  readonly memberId: number;
  readonly kind: SessionKind;
  readonly amr: string | null;
}

interface Actor {
  readonly kind: EventActorKind;
  readonly id: number | null;
}

/** These events do not increase the member's version: theirs is that of the session, 1 for its start and 2 for its end. */
function eventOf(
  { sessionId, memberId, kind, amr }: ToldSession,
  { actor, atMs, reason }: { actor: Actor; atMs: number; reason?: SessionEndReason },
) {
  return {
    publicId: `evt_${randomBytes(18).toString('base64url')}`,
    type: reason === undefined ? 'session.started' : 'session.ended',
    version: SCHEMA_VERSION,
    atMs,
    subjectKind: 'member' as const,
    subjectId: memberId,
    subjectVersion: reason === undefined ? 1 : 2,
    accountId: null,
    actorKind: actor.kind,
    actorId: actor.id,
    data: { memberId, sessionId, kind, method: amr ?? '', ...(reason && { reason }) },
    audience: AUDIENCE,
  };
}

/** Writes the event of a session that has just been inserted. */
export async function recordSessionStart(
  tx: Database,
  session: ToldSession,
  start: { readonly actor: Actor; readonly atMs: number },
): Promise<void> {
  await tx.insert(tx.tables.events, eventOf(session, start));
}

/**
 * Writes the events of open sessions that end, before anything else in the transaction ends them, and the jobs that notify
 * applications. Without an endpoint that subscribes to sessions it reads twice. Sessions in which staff act for a member are not
 * the member's, and have none.
 * @param which the rows of these sessions
 * @param epochsAgo 1 if the transaction has already increased the member's epoch
 * @param isMarked also ends the rows, if nothing else in the transaction does: a cluster notices only through changed rows that
 * two transactions end one session
 */
export async function recordSessionEnds(
  tx: AccessTransaction,
  which: SQL | undefined,
  { reason, endedById, nowMs }: SessionEnd,
  { epochsAgo = 0, isMarked = false }: { epochsAgo?: 0 | 1; isMarked?: boolean } = {},
): Promise<void> {
  const { sessions } = tx.tables;
  await queueLogouts(tx, which, nowMs);
  let actor: Actor | undefined;
  for (let afterId = 0; ; ) {
    const isNext = and(which, gt(sessions.id, afterId));
    const found = await listOpen(tx, isNext, { epochsAgo, nowMs });
    const last = found.at(-1);
    if (last === undefined) return;
    const isFound = inIds(
      tx,
      sessions.id,
      found.map(({ id }) => id),
    );
    await lockRows(tx, sessions, { column: sessions.createdAtMs, where: isFound, mode: 'exclusive' });
    const open = await listOpen(tx, isFound, { epochsAgo, nowMs });
    actor ??= await actorOf(tx, endedById);
    const end = { actor, atMs: nowMs, reason };
    await tx.insertMany(
      tx.tables.events,
      open.map((session) => eventOf(session, end)),
    );
    if (isMarked) await tx.write(tx.update(sessions).set({ endedAtMs: nowMs }).where(isFound));
    afterId = last.id;
  }
}

/** The newest rows of open sessions that have events, by ascending id. */
async function listOpen(
  tx: AccessTransaction,
  which: SQL | undefined,
  { epochsAgo, nowMs }: { epochsAgo: number; nowMs: number },
): Promise<(ToldSession & { readonly id: number })[]> {
  const { members, partners, sessions } = tx.tables;
  const { id, memberId, kind, amr, partnerId, epoch } = sessions;
  return tx
    .select({ id, sessionId: familyOf(tx.tables), memberId, kind, amr })
    .from(sessions)
    .innerJoin(members, eq(members.id, memberId))
    .leftJoin(partners, eq(partners.id, partnerId))
    .where(
      and(
        which,
        areSessionsHeard(tx),
        sql`${epoch} + ${epochsAgo} = ${members.sessionEpoch}`,
        isNull(sessions.endedAtMs),
        isNull(sessions.retiresAtMs),
        isNull(sessions.impersonationId),
        gt(sessions.expiresAtMs, nowMs),
        or(
          isNull(partnerId),
          and(eq(partners.isActive, true), lt(partners.tokensValidAfterMs, sessions.createdAtMs)),
        ),
      ),
    )
    .orderBy(asc(id))
    .limit(SESSIONS_AT_ONCE);
}

async function actorOf(tx: Database, memberId: number | null): Promise<Actor> {
  if (memberId === null) return { kind: 'system', id: null };
  const { id, isPersonnel } = tx.tables.members;
  const [row] = await tx.select({ isPersonnel }).from(tx.tables.members).where(eq(id, memberId));
  return { kind: row?.isPersonnel === true ? 'staff' : 'member', id: memberId };
}
