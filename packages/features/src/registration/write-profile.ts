import { AppError, searchKey } from '@gatehouse/auth-core';
import { type AccessTransaction, DuplicateKeyError, type Locale, setMemberProfile } from '@gatehouse/db';
import type { OwnUsername } from './own-username.js';

/**
 * Writes a member's names and the keys derived from them; undefined fields stay as they are.
 * @throws {AppError} `username_taken`
 */
export async function writeProfile(
  tx: AccessTransaction,
  profile: {
    memberId: number;
    nowMs: number;
    firstName?: string | undefined;
    lastName?: string | undefined;
    username?: OwnUsername | undefined;
    locale?: Locale | undefined;
  },
): Promise<void> {
  const { firstName, lastName } = profile;
  const { username, ...others } = profile;
  try {
    await setMemberProfile(tx, {
      ...others,
      ...username,
      firstNameKey: firstName === undefined ? undefined : searchKey(firstName),
      lastNameKey: lastName === undefined ? undefined : searchKey(lastName),
    });
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw new AppError('username_taken', { cause: error });
    throw error;
  }
}
