import { and, desc, eq, isNull, lt, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { AccessTransaction } from './change-access.js';

/** An impersonation, and the token of its session as long as that is remembered. */
export interface ImpersonationRow {
  id: number;
  actorId: number;
  memberId: number;
  accountId: number | null;
  reason: string;
  mayWrite: boolean;
  createdAtMs: number;
  expiresAtMs: number;
  endedAtMs: number | null;
  endedById: number | null;
  tokenKey: string | null;
  sessionEndedAtMs: number | null;
}

/** An impersonation by its id. */
export async function findImpersonation(
  db: Database,
  impersonationId: number,
): Promise<ImpersonationRow | undefined> {
  const [row] = await impersonationRows(db, eq(db.tables.impersonations.id, impersonationId));
  return row;
}

/** Impersonations, newest first: all, or those of one actor or member. `beforeId` pages on. */
export async function listImpersonations(
  db: Database,
  filter: { actorId?: number | undefined; memberId?: number | undefined },
  { limit, beforeId }: { limit: number; beforeId?: number | undefined },
): Promise<ImpersonationRow[]> {
  const { id, actorId, memberId } = db.tables.impersonations;
  const where = and(
    beforeId === undefined ? undefined : lt(id, beforeId),
    filter.actorId === undefined ? undefined : eq(actorId, filter.actorId),
    filter.memberId === undefined ? undefined : eq(memberId, filter.memberId),
  );
  return impersonationRows(db, where).orderBy(desc(id)).limit(limit);
}

function impersonationRows(db: Database, where: SQL | undefined) {
  const { impersonations, sessions } = db.tables;
  const { id, actorId, memberId, accountId, reason, mayWrite } = impersonations;
  const { createdAtMs, expiresAtMs, endedAtMs, endedById } = impersonations;
  return db
    .select({
      id,
      actorId,
      memberId,
      accountId,
      reason,
      mayWrite,
      createdAtMs,
      expiresAtMs,
      endedAtMs,
      endedById,
      tokenKey: sessions.tokenKey,
      sessionEndedAtMs: sessions.endedAtMs,
    })
    .from(impersonations)
    .leftJoin(sessions, eq(sessions.impersonationId, id))
    .where(where);
}

/** An impersonation that begins, and the token of its session. */
interface NewImpersonation {
  actorId: number;
  actorEpoch: number;
  memberId: number;
  memberEpoch: number;
  accountId: number | null;
  reason: string;
  mayWrite: boolean;
  /** The level that the actor's own session has reached; 1 by default. */
  level?: number;
  /** The identity-provider sign-in of the actor's own session, with which the impersonation ends. */
  ssoLoginId?: number | null;
  nowMs: number;
  expiresAtMs: number;
}

/** The name of its session in the member's list. */
const DEVICE = 'Support';

/**
 * Begins an impersonation; `tokenKeyOf` makes the token of its session, which needs the id. The one its actor was in ends.
 * The caller has locked the actor's row, so there is one at a time.
 */
export async function insertImpersonation(
  tx: AccessTransaction,
  { memberEpoch, level = 1, ssoLoginId = null, ...impersonation }: NewImpersonation,
  tokenKeyOf: (impersonationId: number) => string,
): Promise<number> {
  const { impersonations, members, sessions } = tx.tables;
  const { actorId, actorEpoch, memberId, accountId, reason, mayWrite, nowMs, expiresAtMs } = impersonation;
  const [actor] = await tx
    .select({ impersonationId: members.impersonationId })
    .from(members)
    .where(eq(members.id, actorId));
  if (actor?.impersonationId)
    await closeImpersonation(tx, { impersonationId: actor.impersonationId, endedById: actorId, nowMs });
  const id = await tx.insert(impersonations, {
    actorId,
    actorEpoch,
    memberId,
    accountId,
    reason,
    mayWrite,
    createdAtMs: nowMs,
    expiresAtMs,
  });
  await tx.insert(sessions, {
    tokenKey: tokenKeyOf(id),
    memberId,
    impersonationId: id,
    kind: 'session',
    epoch: memberEpoch,
    level,
    ssoLoginId,
    device: DEVICE,
    address: '',
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    expiresAtMs,
  });
  await tx.write(
    tx.update(members).set({ impersonationId: id, updatedAtMs: nowMs }).where(eq(members.id, actorId)),
  );
  return id;
}

/** Ends an impersonation, for its actor and for the member. False when it had been ended. */
export async function endImpersonation(
  tx: AccessTransaction,
  end: { impersonationId: number; actorId: number; endedById: number | null; nowMs: number },
): Promise<boolean> {
  const { members } = tx.tables;
  const isTheirs = and(eq(members.id, end.actorId), eq(members.impersonationId, end.impersonationId));
  await tx.write(tx.update(members).set({ impersonationId: null, updatedAtMs: end.nowMs }).where(isTheirs));
  return closeImpersonation(tx, end);
}

/** Ends the impersonations that have some sessions. The caller has locked the rows of their actors. */
export async function endImpersonationsOf(
  tx: AccessTransaction,
  which: SQL,
  end: { endedById: number | null; nowMs: number },
): Promise<void> {
  const { impersonations, sessions } = tx.tables;
  const { id: impersonationId, actorId } = impersonations;
  const open = await tx
    .select({ impersonationId, actorId })
    .from(sessions)
    .innerJoin(impersonations, eq(impersonationId, sessions.impersonationId))
    .where(and(which, isNull(sessions.endedAtMs)));
  for (const each of open) await endImpersonation(tx, { ...each, ...end });
}

async function closeImpersonation(
  tx: AccessTransaction,
  { impersonationId, endedById, nowMs }: { impersonationId: number; endedById: number | null; nowMs: number },
): Promise<boolean> {
  const { impersonations, sessions } = tx.tables;
  await tx.write(
    tx
      .update(sessions)
      .set({ endedAtMs: nowMs })
      .where(and(eq(sessions.impersonationId, impersonationId), isNull(sessions.endedAtMs))),
  );
  const ended = await tx.write(
    tx
      .update(impersonations)
      .set({ endedAtMs: nowMs, endedById })
      .where(and(eq(impersonations.id, impersonationId), isNull(impersonations.endedAtMs))),
  );
  return ended === 1;
}
