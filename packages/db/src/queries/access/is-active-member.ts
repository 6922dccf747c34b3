import { and, eq, not, type SQL } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';
import { isBannedAt } from './ban-columns.js';

/** Members who may sign in at all: neither deleted nor banned at this moment. */
export function isActiveMember(tables: Tables, nowMs: number): SQL | undefined {
  return and(eq(tables.members.isDeleted, false), not(isBannedAt(tables, nowMs)));
}
