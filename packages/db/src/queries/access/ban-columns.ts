import { and, eq, gt, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../../tables/define-tables.js';
import { ARCHIVED, ARCHIVED_LABEL } from '../archived.js';

/** The end of a ban without an end: later than any possible time. */
export const ENDLESS_MS = 8_640_000_000_000_000;

/**
 * A ban stores base role 11 and keeps the label, so that nodes of the release before refuse the member too. A
 * ban by such a node, or by hand, also writes the label of role 11. Then the other columns may have values of
 * an earlier ban.
 */
function knowsItsRole({ members }: Tables): SQL | undefined {
  return and(
    eq(members.roleType, ARCHIVED),
    isNotNull(members.bannedRoleType),
    ne(members.role, ARCHIVED_LABEL),
  );
}

/**
 * The base role of a member, which a ban does not change. It is 11 if the former role of a banned member was
 * not recorded.
 */
export function baseRole(tables: Tables): SQL<number> {
  const { roleType, bannedRoleType } = tables.members;
  return sql<number>`case when ${knowsItsRole(tables)} then ${bannedRoleType} else ${roleType} end`;
}

/** When the ban of a member ends, or ended: 0 without a ban, `ENDLESS_MS` for a ban without an end. */
export function banEnd(tables: Tables): SQL<number> {
  const { roleType, bannedUntilMs } = tables.members;
  const endless = sql.raw(String(ENDLESS_MS));
  return sql<number>`case when ${ne(roleType, ARCHIVED)} then 0 when ${knowsItsRole(tables)} then coalesce(${bannedUntilMs}, ${endless}) else ${endless} end`;
}

/** Whether a ban with this end applies at a moment. */
export function isBanned({ bannedUntilMs }: { readonly bannedUntilMs: number }, nowMs: number): boolean {
  return nowMs < bannedUntilMs;
}

/** Whether a ban without an end applies, as the replaced system had it. */
export function isArchived({ bannedUntilMs }: { readonly bannedUntilMs: number }): boolean {
  return bannedUntilMs === ENDLESS_MS;
}

/** Whether a member may sign in at a moment: neither deleted nor banned. */
export function isActiveAt(
  member: { readonly isDeleted: boolean; readonly bannedUntilMs: number },
  nowMs: number,
): boolean {
  return !member.isDeleted && !isBanned(member, nowMs);
}

/** True for members who are banned at a moment. */
export function isBannedAt(tables: Tables, nowMs: number): SQL {
  return gt(banEnd(tables), nowMs);
}
