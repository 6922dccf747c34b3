import { AppError, isForeignAddress, randomId, searchKey, usernameKey } from '@gatehouse/auth-core';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { setMemberProfile } from '@gatehouse/db/queries/change-member';
import { findMember } from '@gatehouse/db/queries/read-members';
import type { Locale } from '@gatehouse/db/tables/member-tables';

/** A username that its member may have. Only `ownUsername` makes one. */
interface OwnUsername {
  readonly username: string;
  readonly usernameKey: string;
}

/**
 * The columns of a username, however it is written. It may contain an `@` only if it is the member's own address.
 * @param email the member's own address, null if they have none
 * @throws {AppError} `invalid_input` for another's address
 */
export function ownUsername(username: string, email: string | null): OwnUsername {
  if (!isForeignAddress(username, email)) return { username, usernameKey: usernameKey(username) };
  const message = 'may hold an @ only if it is your own email address';
  throw new AppError('invalid_input', { issues: [{ path: 'username', message }] });
}

const MAX_STEM_LENGTH = 40;

/**
 * A username for somebody who chose none: the part of their address before the `@`, or their name, reduced to
 * plain letters and digits. From the second attempt on, 40 random bits are appended, so that a few attempts
 * always suffice.
 */
export function generateUsername(
  person: { readonly email: string | null; readonly firstName: string },
  attempt: number,
): string {
  const stem = [person.email?.split('@')[0] ?? '', person.firstName, 'member'].map(plain).find(Boolean) ?? '';
  return attempt === 0 ? stem : `${stem}-${randomId(5)}`;
}

function plain(text: string): string {
  return usernameKey(text)
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .slice(0, MAX_STEM_LENGTH)
    .replaceAll(/^[._-]+|[._-]+$/g, '');
}

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

const ATTEMPTS = 5;

/**
 * Gives a member a new username if the current one is an address that is not theirs: their former address, or one that an earlier
 * release allowed. The caller has locked the member.
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
