import { and, eq, isNotNull, isNull, not, type SQL } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';
import { isBanned, isBannedAt } from '../access/ban-columns.js';

/**
 * What became of a member: `live`, `banned` for now, `deleting` until one who deleted themselves is erased, or `deleted` by
 * staff or erased.
 */
export type MemberStatus = 'live' | 'banned' | 'deleting' | 'deleted';

/** True of members with this status at a moment. */
export function hasStatus(tables: Tables, status: MemberStatus, nowMs: number): SQL | undefined {
  const { isDeleted, erasesAtMs } = tables.members;
  switch (status) {
    case 'live':
      return and(eq(isDeleted, false), not(isBannedAt(tables, nowMs)));
    case 'banned':
      return and(eq(isDeleted, false), isBannedAt(tables, nowMs));
    case 'deleting':
      return and(eq(isDeleted, true), isNotNull(erasesAtMs));
    case 'deleted':
      return and(eq(isDeleted, true), isNull(erasesAtMs));
  }
}

/** The status of a member at a moment. */
export function statusOf(
  row: { isDeleted: boolean; erasesAtMs: number | null; bannedUntilMs: number },
  nowMs: number,
): MemberStatus {
  if (row.isDeleted) return row.erasesAtMs === null ? 'deleted' : 'deleting';
  return isBanned(row, nowMs) ? 'banned' : 'live';
}
