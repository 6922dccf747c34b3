import { and, eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { isBannedAt } from '../access/ban-columns.js';
import { ARCHIVED_LABEL } from '../archived.js';

/** A current ban. Bans by the release before have no details. */
export interface BanDetail {
  atMs: number | null;
  byId: number | null;
  /** Null for a ban without an end. */
  untilMs: number | null;
  reason: string | null;
}

/** The ban of a member at a moment. Undefined without a ban, or if it has ended. */
export async function findBan(
  db: Database,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<BanDetail | undefined> {
  const { members } = db.tables;
  const { role, bannedRoleType, bannedAtMs, bannedById, bannedUntilMs, banReason } = members;
  const [row] = await db
    .select({ role, bannedRoleType, bannedAtMs, bannedById, bannedUntilMs, banReason })
    .from(members)
    .where(and(eq(members.id, memberId), isBannedAt(db.tables, nowMs)));
  if (row === undefined) return undefined;
  const isKnown = row.bannedRoleType !== null && row.role !== ARCHIVED_LABEL;
  if (!isKnown) return { atMs: null, byId: null, untilMs: null, reason: null };
  return { atMs: row.bannedAtMs, byId: row.bannedById, untilMs: row.bannedUntilMs, reason: row.banReason };
}
