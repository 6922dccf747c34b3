import { and, eq, ne, type SQL } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';
import { ARCHIVED } from '../archived.js';

/** Members who may sign in at all: neither deleted nor banned. */
export function isActiveMember({ members }: Tables): SQL | undefined {
  return and(eq(members.isDeleted, false), ne(members.roleType, ARCHIVED));
}
