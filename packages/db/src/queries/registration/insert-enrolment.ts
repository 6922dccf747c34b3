import type { Database } from '../../database.js';
import { indexMemberNames } from '../member/name-search/index-member-names.js';

/** A new member, the account they own, and the trial that comes with it. */
export interface EnrolmentRows {
  member: {
    sid: string;
    sidKey: string;
    username: string;
    usernameKey: string;
    firstName: string;
    firstNameKey: string;
    lastName: string;
    email: string | null;
    emailKey: string | null;
    emailConfirmedAtMs: number | null;
    /** When a proof of the address came together with what signs in; null while nobody has shown both. */
    ownerProvenAtMs?: number | null;
    /** A bcrypt hash. */
    password: string;
    /** Whether somebody knows that password. */
    hasPassword?: boolean;
    roleType: number;
    role: string;
    createdByPartnerId: number | null;
  };
  account: { name: string; nameKey: string };
  /** The role of the member in the account. */
  membershipRoleType: number;
  trialEndsAtMs: number;
  nowMs: number;
}

/**
 * Writes a member with account, membership and trial subscription into the caller's transaction. Nobody can have
 * asked for this member or account before, so no node has to be told.
 *
 * @throws {DuplicateKeyError} naming the unique index of the identifier, username or address that is taken; the
 * transaction may go on after it, for nothing has been written then.
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
    createdByPartnerId,
  });
  await tx.insert(memberships, { memberId, accountId, roleType: rows.membershipRoleType, ...written });
  await tx.insert(subscriptions, {
    accountId,
    state: 'trialing',
    trialEndsAtMs: rows.trialEndsAtMs,
    ...written,
  });
  await indexMemberNames(tx, [memberId]);
  return { memberId, accountId };
}
