import { and, desc, eq, lt, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.js';

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
