import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { SessionKind } from '../../tables/sessions.js';

/** A session as its owner sees it. */
export interface SessionRow {
  id: number;
  tokenKey: string;
  kind: SessionKind;
  device: string;
  address: string;
  partnerId: number | null;
  createdAtMs: number;
  lastSeenAtMs: number;
  expiresAtMs: number;
}

/** A member's open sessions, or those one partner began, newest first; `beforeId` pages on. */
export async function listSessions(
  db: Database,
  memberId: number,
  {
    nowMs,
    limit,
    beforeId,
    onlyPartnerId,
  }: {
    nowMs: number;
    limit: number;
    beforeId?: number;
    onlyPartnerId?: number | undefined;
  },
): Promise<SessionRow[]> {
  const { members, sessions } = db.tables;
  const { id, tokenKey, kind, device, address, partnerId, createdAtMs, lastSeenAtMs, expiresAtMs } = sessions;
  return db
    .select({ id, tokenKey, kind, device, address, partnerId, createdAtMs, lastSeenAtMs, expiresAtMs })
    .from(sessions)
    .innerJoin(members, and(eq(members.id, sessions.memberId), eq(members.sessionEpoch, sessions.epoch)))
    .where(
      and(
        eq(sessions.memberId, memberId),
        isNull(sessions.endedAtMs),
        gt(sessions.expiresAtMs, nowMs),
        beforeId === undefined ? undefined : lt(sessions.id, beforeId),
        onlyPartnerId === undefined ? undefined : eq(sessions.partnerId, onlyPartnerId),
      ),
    )
    .orderBy(desc(sessions.id))
    .limit(limit);
}
