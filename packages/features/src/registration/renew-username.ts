import { AppError, isForeignAddress } from '@gatehouse/auth-core';
import { type AccessTransaction, findMember } from '@gatehouse/db';
import { generateUsername } from './generate-username.js';
import { ownUsername } from './own-username.js';
import { writeProfile } from './write-profile.js';

const ATTEMPTS = 5;

/**
 * Makes the username of a member anew if it is an address that is not theirs: the one of before, or one that a release
 * before let them have. The caller has locked the member.
 */
export async function renewUsername(
  tx: AccessTransaction,
  { memberId, nowMs }: { memberId: number; nowMs: number },
): Promise<void> {
  const member = await findMember(tx, memberId);
  if (member === undefined || !isForeignAddress(member.username, member.email)) return;
  for (let attempt = 0; ; attempt += 1) {
    const username = ownUsername(generateUsername(member, attempt), member.email);
    try {
      return await writeProfile(tx, { memberId, nowMs, username });
    } catch (error) {
      const isTaken = error instanceof AppError && error.code === 'username_taken';
      if (!isTaken || attempt + 1 >= ATTEMPTS) throw error;
    }
  }
}
