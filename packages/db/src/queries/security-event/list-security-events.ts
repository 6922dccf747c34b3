import { and, desc, eq, lt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { SecurityOutcome } from '../../tables/security-events.js';

/** An event in a list. */
export interface SecurityEventRow {
  id: number;
  atMs: number;
  kind: string;
  outcome: SecurityOutcome;
  address: string | null;
  device: string | null;
  times: number;
  actorId: number | null;
  /** The name of the actor; null if there was none, or they are gone. */
  actorUsername: string | null;
}

/** A member's security events, newest first; `beforeId` pages on. */
export async function listSecurityEvents(
  db: Database,
  memberId: number,
  { limit, beforeId }: { limit: number; beforeId?: number | undefined },
): Promise<SecurityEventRow[]> {
  const { members, securityEvents } = db.tables;
  const { id, atMs, kind, outcome, address, device, times, actorId } = securityEvents;
  return db
    .select({ id, atMs, kind, outcome, address, device, times, actorId, actorUsername: members.username })
    .from(securityEvents)
    .leftJoin(members, eq(members.id, actorId))
    .where(
      and(
        eq(securityEvents.memberId, memberId),
        beforeId === undefined ? undefined : lt(securityEvents.id, beforeId),
      ),
    )
    .orderBy(desc(id))
    .limit(limit);
}
