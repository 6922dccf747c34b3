import { AppError, searchKey, usernameKey } from '@gatehouse/auth-core';
import { type AccessTransaction, DuplicateKeyError, type Locale, setMemberProfile } from '@gatehouse/db';

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
    username?: string | undefined;
    locale?: Locale | undefined;
  },
): Promise<void> {
  const { firstName, lastName, username } = profile;
  try {
    await setMemberProfile(tx, {
      ...profile,
      firstNameKey: firstName === undefined ? undefined : searchKey(firstName),
      lastNameKey: lastName === undefined ? undefined : searchKey(lastName),
      usernameKey: username === undefined ? undefined : usernameKey(username),
    });
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw new AppError('username_taken', { cause: error });
    throw error;
  }
}
