import type { Tables } from '../../tables/define-tables.js';
import { banEnd, baseRole } from './ban-columns.js';

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
