import type { Database } from '../database.js';
import type { Locale } from '../tables/member-tables.js';
import type { AccessTransaction } from './change-access.js';

/** The row of a new member. */
export interface NewMember {
  sid: string;
  sidKey: string;
  username: string;
  usernameKey: string;
  firstName: string;
  firstNameKey: string;
  lastName: string;
  lastNameKey: string;
  email: string | null;
  emailKey: string | null;
  emailConfirmedAtMs: number | null;
  /** When the address and a credential were proved together; null until then. */
  ownerProvenAtMs?: number | null;
  /** A bcrypt hash. */
  password: string;
  /** Whether the password was set by a person. */
  hasPassword?: boolean;
  roleType: number;
  role: string;
  createdByPartnerId: number | null;
  /** The account that brings them. */
  managedByAccountId?: number | null;
  /** The language of their mails. */
  locale?: Locale;
}

/**
 * Writes a member without an account.
 * @throws {DuplicateKeyError} as `insertEnrolment` does
 */
export async function insertMember(
  tx: AccessTransaction,
  { nowMs, ...member }: NewMember & { nowMs: number },
): Promise<number> {
  return tx.insert(tx.tables.members, { createdAtMs: nowMs, updatedAtMs: nowMs, ...member });
}

/** A new member, their account and its trial. */
export interface EnrolmentRows {
  member: NewMember;
  account: { name: string; nameKey: string };
  /** The role of the member in the account. */
  membershipRoleType: number;
  trialEndsAtMs: number;
  nowMs: number;
}

/**
 * Writes a member with account, membership and trial. Nobody can have cached them, so no node is notified.
 * @throws {DuplicateKeyError} naming the unique index of the identifier, username or address that is taken;
 * the transaction can continue after it, because nothing was written.
 */
export async function insertEnrolment(
  tx: Database,
  rows: EnrolmentRows,
): Promise<{ memberId: number; accountId: number }> {
  const { members, accounts, memberships, subscriptions } = tx.tables;
  const { nowMs } = rows;
  const written = { createdAtMs: nowMs, updatedAtMs: nowMs };
  const memberId = await tx.insert(members, { ...rows.member, ...written });
  const { createdByPartnerId } = rows.member;
  const accountId = await tx.insert(accounts, {
    ...rows.account,
    ...written,
    ownerId: memberId,
    openedById: memberId,
    createdByPartnerId,
  });
  await tx.insert(memberships, { memberId, accountId, roleType: rows.membershipRoleType, ...written });
  await tx.insert(subscriptions, {
    accountId,
    state: 'trialing',
    trialEndsAtMs: rows.trialEndsAtMs,
    ...written,
  });
  return { memberId, accountId };
}
