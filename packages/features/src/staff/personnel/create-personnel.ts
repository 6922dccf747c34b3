import { emailKey, type Roles, searchKey } from '@gatehouse/auth-core';
import { type AccessTransaction, DuplicateKeyError, insertPersonnel } from '@gatehouse/db';
import { generateUsername, ownUsername } from '../../registration/usernames.js';
import { addressTaken } from './address-taken.js';
import { requireAccounts } from './require-accounts.js';

/** A new staff member. The caller has validated every field. */
export interface NewColleague {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The base role, which is also the role as staff. */
  readonly roleType: number;
  /** A bcrypt hash. */
  readonly passwordHash: string;
  /** The accounts granted to them. */
  readonly accountIds: readonly number[];
  /** False for a person to be enabled later; true by default. */
  readonly isActive?: boolean | undefined;
  /** When a trusted person gave them the password directly. */
  readonly ownerProvenAtMs?: number;
  readonly nowMs: number;
}

const USERNAME_ATTEMPTS = 5;

/**
 * Creates a member of staff with their grants in the caller's transaction and returns their id. The username comes from the
 * address.
 * @throws {AppError} `email_taken` for an address that any member has, deleted ones included, `invalid_input` for accounts that
 * do not exist
 */
export async function createPersonnel(
  tx: AccessTransaction,
  roles: Roles,
  person: NewColleague,
): Promise<number> {
  await requireAccounts(tx, person.accountIds);
  for (let attempt = 0; ; attempt += 1) {
    const username = generateUsername(person, attempt);
    try {
      return await insertPersonnel(tx, {
        email: person.email,
        emailKey: emailKey(person.email),
        ...ownUsername(username, person.email),
        firstName: person.firstName,
        firstNameKey: searchKey(person.firstName),
        lastName: person.lastName,
        lastNameKey: searchKey(person.lastName),
        password: person.passwordHash,
        hasPassword: person.ownerProvenAtMs !== undefined,
        roleType: person.roleType,
        role: roles.labelOf(person.roleType),
        isPersonnel: person.isActive ?? true,
        ...(person.ownerProvenAtMs === undefined ? {} : { ownerProvenAtMs: person.ownerProvenAtMs }),
        accountIds: [...new Set(person.accountIds)],
        nowMs: person.nowMs,
      });
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      const isUsername = error.constraint === 'members_username_key_unique';
      if (!isUsername || attempt + 1 >= USERNAME_ATTEMPTS) throw await addressTaken(tx, person.email, error);
    }
  }
}
