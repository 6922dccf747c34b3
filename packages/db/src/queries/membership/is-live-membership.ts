import { and, eq, type SQL } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';

/** True for the live memberships of one member, joined to accounts that are not deleted. */
export function isLiveMembership({ accounts, memberships }: Tables, memberId: number): SQL | undefined {
  return and(
    eq(memberships.memberId, memberId),
    eq(memberships.isDeleted, false),
    eq(memberships.active, true),
    eq(accounts.isDeleted, false),
  );
}
