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
  const { atMs, byId, reason } = banDetails(row);
  return { atMs, byId, untilMs: knowsDetails(row) ? row.bannedUntilMs : null, reason };
}

/** Who banned a member, when and why. The columns of a ban by the release before may have an earlier ban's. */
export function banDetails(row: {
  role: string;
  bannedRoleType: number | null;
  bannedAtMs: number | null;
  bannedById: number | null;
  banReason: string | null;
}): Pick<BanDetail, 'atMs' | 'byId' | 'reason'> {
  if (!knowsDetails(row)) return { atMs: null, byId: null, reason: null };
  return { atMs: row.bannedAtMs, byId: row.bannedById, reason: row.banReason };
}

function knowsDetails({ role, bannedRoleType }: { role: string; bannedRoleType: number | null }): boolean {
  return bannedRoleType !== null && role !== ARCHIVED_LABEL;
}
