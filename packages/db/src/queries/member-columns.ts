import { and, eq, gt, isNotNull, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../tables/define-tables.js';

/** The role of archived members, who have no permissions. Its number is fixed. */
export const ARCHIVED = 11;

/** Its label. */
export const ARCHIVED_LABEL = 'Archived';

/** The end of a ban without an end: later than any possible time. */
export const ENDLESS_MS = 8_640_000_000_000_000;

/**
 * A ban stores base role 11 and keeps the label. A ban by hand also writes the label of role 11; the other columns may then
 * have values of an earlier ban.
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

/** Members who may sign in at all: neither deleted nor banned at this moment. */
export function isActiveMember(tables: Tables, nowMs: number): SQL | undefined {
  return and(eq(tables.members.isDeleted, false), not(isBannedAt(tables, nowMs)));
}

/** The column values that mean that a member is not banned. */
export const NO_BAN = {
  bannedRoleType: null,
  bannedUntilMs: null,
  bannedAtMs: null,
  bannedById: null,
  banReason: null,
};

/** Members who deleted themselves and are not erased yet. */
export function isLeaving({ members }: Tables): SQL | undefined {
  return and(eq(members.isDeleted, true), isNotNull(members.erasesAtMs));
}

/** Members who are not deleted, or may come back by themselves. */
export function isLiveOrLeaving(tables: Tables): SQL | undefined {
  return or(eq(tables.members.isDeleted, false), isLeaving(tables));
}

/**
 * Whether a member's address gives rights: it is confirmed, and its owner has shown that the member is theirs. They signed in by
 * mail, a reset or a provider, or confirmed it together with the password or a session. A click on a mailed link only shows that
 * somebody reads the mailbox.
 */
export function isProven(member: {
  readonly email: string | null;
  readonly emailConfirmedAtMs: number | null;
  readonly ownerProvenAtMs: number | null;
}): boolean {
  return member.email !== null && member.emailConfirmedAtMs !== null && member.ownerProvenAtMs !== null;
}

/** The column values that mean no change of address is pending. */
export const NO_PENDING_ADDRESS = {
  pendingEmail: null,
  pendingEmailKey: null,
  pendingAwaits: null,
  pendingSinceMs: null,
  pendingEffectiveAtMs: null,
};

/** The fields of a member in a list. */
export function listedMemberColumns(tables: Tables) {
  const { id, sid, username, firstName, lastName, email, role } = tables.members;
  const { emailConfirmedAtMs, ownerProvenAtMs, createdAtMs } = tables.members;
  return {
    id,
    sid,
    username,
    firstName,
    lastName,
    email,
    roleType: baseRole(tables),
    role,
    bannedUntilMs: banEnd(tables),
    emailConfirmedAtMs,
    ownerProvenAtMs,
    createdAtMs,
  };
}

/** A member's role in the listed account. */
export function placeColumns({ memberships }: Tables) {
  return {
    accountRoleType: memberships.roleType,
    customRoleId: memberships.customRoleId,
    joinedAtMs: memberships.createdAtMs,
  };
}

/** A membership in a list. */
export interface MemberPlace {
  accountRoleType: number;
  customRoleId: number | null;
  joinedAtMs: number;
}

/** A member in a list. */
export interface ListedMember {
  id: number;
  sid: string;
  username: string;
  firstName: string;
  lastName: string;
  email: string | null;
  /** The base role, which a ban does not change. */
  roleType: number;
  role: string;
  /** When their ban ends or ended; 0 without a ban. See `isBanned`. */
  bannedUntilMs: number;
  emailConfirmedAtMs: number | null;
  /** When the owner of the address was proven. See `isProven`. */
  ownerProvenAtMs: number | null;
  createdAtMs: number;
  /** A member in a list of one account. */
  accountRoleType?: number;
  customRoleId?: number | null;
  joinedAtMs?: number;
}

/** The fields of a member that may be read without a credential. */
export function memberColumns(tables: Tables) {
  const { isPersonnel, isDeleted, defaultPaymentId, sessionEpoch } = tables.members;
  return { ...listedMemberColumns(tables), isPersonnel, isDeleted, defaultPaymentId, sessionEpoch };
}

/** A member without any credential. */
export interface MemberRow extends ListedMember {
  isPersonnel: boolean;
  isDeleted: boolean;
  defaultPaymentId: number;
  sessionEpoch: number;
}

/**
 * What became of a member: `live`, `banned` for now, `deleting` until one who deleted themselves is erased, or `deleted` by
 * staff or erased.
 */
export type MemberStatus = 'live' | 'banned' | 'deleting' | 'deleted';

/** True of members with this status at a moment. */
export function hasStatus(tables: Tables, status: MemberStatus, nowMs: number): SQL | undefined {
  const { isDeleted, erasesAtMs, isMachine } = tables.members;
  switch (status) {
    case 'live':
      return and(eq(isDeleted, false), not(isBannedAt(tables, nowMs)));
    case 'banned':
      return and(eq(isDeleted, false), isBannedAt(tables, nowMs));
    case 'deleting':
      return and(eq(isDeleted, true), isNotNull(erasesAtMs));
    case 'deleted':
      return and(eq(isDeleted, true), isNull(erasesAtMs), eq(isMachine, false));
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

/** The columns of a password, by its hash, that replaces the previous one. Without `hasPassword`, nobody knows it. */
export const newPassword = (
  password: string,
  { hasPassword, nowMs }: { readonly hasPassword: boolean; readonly nowMs: number },
) => ({
  password,
  passwordIsPlain: false,
  hasPassword,
  passwordRounds: null,
  passwordDelayMs: null,
  passwordListedAtMs: null,
  passwordChangedAtMs: nowMs,
});
