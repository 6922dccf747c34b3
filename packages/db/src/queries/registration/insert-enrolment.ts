import type { Database } from '../../database.js';
import { indexMemberNames } from '../member/name-search/index-member-names.js';
import type { NewMember } from './insert-member.js';

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
  await indexMemberNames(tx, [memberId]);
  return { memberId, accountId };
}
