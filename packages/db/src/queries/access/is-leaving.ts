import { and, eq, isNotNull, or, type SQL } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';

/** Members who deleted themselves and are not erased yet. */
export function isLeaving({ members }: Tables): SQL | undefined {
  return and(eq(members.isDeleted, true), isNotNull(members.erasesAtMs));
}

/** Members who are not deleted, or may come back by themselves. */
export function isLiveOrLeaving(tables: Tables): SQL | undefined {
  return or(eq(tables.members.isDeleted, false), isLeaving(tables));
}
