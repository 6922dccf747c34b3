import { and, eq } from 'drizzle-orm';
import type { Locale } from '../../tables/members.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import { indexMemberNames } from './name-search/index-member-names.js';

/** What a member is called, and the language of their mails; what is left out stays as it is. */
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
 * Changes what a member is called.
 * @throws DuplicateKeyError when another member has that username
 */
export async function setMemberProfile(
  tx: AccessTransaction,
  { memberId, nowMs, ...profile }: MemberProfile & { memberId: number; nowMs: number },
): Promise<void> {
  const { members } = tx.tables;
  // A key that is not given is learned anew: the old one is another name's.
  const lastNameKey = profile.lastName === undefined ? undefined : (profile.lastNameKey ?? null);
  await tx.write(
    tx
      .update(members)
      .set({ updatedAtMs: nowMs, ...profile, lastNameKey })
      .where(and(eq(members.id, memberId), eq(members.isDeleted, false))),
  );
  if (profile.usernameKey !== undefined) await indexMemberNames(tx, [memberId]);
}
