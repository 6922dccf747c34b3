import { and, eq } from 'drizzle-orm';
import type { Locale } from '../../tables/members.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import { indexMemberNames } from './name-search/index-member-names.js';

/** A member's names and mail language. Missing fields stay unchanged. */
export interface MemberProfile {
  firstName?: string | undefined;
  firstNameKey?: string | undefined;
  lastName?: string | undefined;
  lastNameKey?: string | undefined;
  username?: string | undefined;
  usernameKey?: string | undefined;
  locale?: Locale | undefined;
}

/**
 * Changes a member's names.
 * @throws DuplicateKeyError when another member has that username
 */
export async function setMemberProfile(
  tx: AccessTransaction,
  { memberId, nowMs, ...profile }: MemberProfile & { memberId: number; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  // A missing key is indexed later; the old one belongs to the old name.
  const lastNameKey = profile.lastName === undefined ? undefined : (profile.lastNameKey ?? null);
  await tx.write(
    tx
      .update(members)
      .set({ updatedAtMs: nowMs, ...profile, lastNameKey })
      .where(and(eq(members.id, memberId), eq(members.isDeleted, false))),
  );
  if (profile.usernameKey !== undefined) await indexMemberNames(tx, [memberId]);
}
